"""What the code of a domain may name: its tables, columns, objects, functions and constants."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolworld.spec.model import Column, DomainFile, Entity
from toolworld.spec.shapes import Shape, field_shape
from toolworld.spec.signatures import Signature


@dataclass
class ModuleNames:
    """The names one module of a domain can use, with their shapes.

    Attributes:
        functions: The module's functions by name.
        constants: The module's UPPER_CASE constants by name.
        writable: Whether tables may be changed here; an invariant only looks.
    """

    domain: DomainFile
    functions: dict[str, Signature] = field(default_factory=dict)
    constants: dict[str, Shape] = field(default_factory=dict)
    writable: bool = True

    def __post_init__(self) -> None:
        """Index entities by table."""
        self.tables: dict[str, str] = {
            entity.table: name for name, entity in self.domain.entities.items()
        }

    def entity(self, name: str) -> Entity:
        """Return an entity by its name."""
        return self.domain.entities[name]

    def column(self, entity: str, column: str) -> Shape | None:
        """Return a column's shape, or None if the entity has no such column."""
        columns = self.entity(entity).columns
        if column not in columns:
            return None
        key_of = entity if column == self.entity(entity).key else ""
        return field_shape(self.domain, columns[column], key_of)

    def object_field(self, name: str, field_name: str) -> Shape | None:
        """Return the shape of an object's field, or None if it has no such field."""
        found = self.domain.objects[name].fields.get(field_name)
        return field_shape(self.domain, found) if found else None

    def required_columns(self, entity: str) -> list[str]:
        """Return the columns ``add`` cannot do without."""
        found = self.entity(entity)
        return [name for name, column in found.columns.items() if _required(found, name, column)]

    def required_fields(self, name: str) -> list[str]:
        """Return the fields an object cannot do without."""
        fields = self.domain.objects[name].fields
        return [field_name for field_name, found in fields.items() if not found.nullable]


def _required(entity: Entity, name: str, column: Column) -> bool:
    minted = name == entity.key and entity.prefix is not None
    return not column.nullable and not minted
