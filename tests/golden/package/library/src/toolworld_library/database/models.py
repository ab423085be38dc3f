"""The rows, value objects and enums of Town library, and its typed database."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..values import Boolean, Date, Datetime, Integer, Key, Money, Number, Row, Text, Value
from . import store
from .schema import Reference, TableSchema
from .table import Table

LoanStatus: TypeAlias = Literal["open", "returned", "lost"]
FeeReason: TypeAlias = Literal["late", "damaged", "lost"]

MemberId: TypeAlias = Key
BookId: TypeAlias = Key
LoanId: TypeAlias = Key
HoldId: TypeAlias = Key


class Fee(Value):
    """One amount charged for a loan.

    Attributes:
        reason: Why it is charged.
        amount: How much is charged. In EUR.
        charged_on: The day it was charged.
    """

    reason: FeeReason
    amount: Money
    charged_on: Date


class Member(Row):
    """A person with a library card.

    Attributes:
        member_id: The member.
        name: First and last name.
        email: Where notices go, in lower case.
        joined_on: The day the card was issued.
        blocked: Whether borrowing is suspended.
    """

    member_id: MemberId
    name: Text
    email: Text
    joined_on: Date
    blocked: Boolean


class Book(Row):
    """A title of the collection, with the number of copies owned.

    Attributes:
        isbn: The thirteen digits on the back cover.
        title: The title on the cover.
        author: First and last name of the author.
        copies: Copies owned.
        price: What a lost copy costs. In EUR.
        rating: Readers' average, 1 to 5. In stars.
    """

    isbn: BookId
    title: Text
    author: Text
    copies: Integer
    price: Money
    rating: Number | None = None


class Loan(Row):
    """One copy lent to one member.

    Attributes:
        loan_id: The loan.
        member_id: Who borrowed.
        isbn: What was borrowed.
        status: Where the loan stands.
        lent_at: When the copy left the library.
        due_on: The last day without a late fee.
        returned_at: When the copy came back, if it has.
        renewals: How often the loan was extended.
        fees: What was charged, oldest first.
        fine: The sum of the fees. In EUR.
        desk: The desk that lent the copy.
        note: A remark about the copy.
    """

    loan_id: LoanId
    member_id: MemberId
    isbn: BookId
    status: LoanStatus
    lent_at: Datetime
    due_on: Date
    returned_at: Datetime | None = None
    renewals: Integer
    fees: tuple[Fee, ...]
    fine: Money
    desk: Text
    note: Text | None = None


class Hold(Row):
    """A member waiting for a book.

    Attributes:
        hold_id: The hold.
        member_id: Who waits.
        isbn: The book waited for.
        placed_at: When the hold was placed.
        needed_by: The day after which the book is of no use.
    """

    hold_id: HoldId
    member_id: MemberId
    isbn: BookId
    placed_at: Datetime
    needed_by: Date


SCHEMAS: dict[str, TableSchema] = {
    "members": TableSchema(
        name="members",
        row=Member,
        key="member_id",
        noun="member",
        prefix="MEM",
        unique=("email",),
        policies={"member_id": "exempt"},
    ),
    "books": TableSchema(
        name="books",
        row=Book,
        key="isbn",
        noun="book",
    ),
    "loans": TableSchema(
        name="loans",
        row=Loan,
        key="loan_id",
        noun="loan",
        prefix="LOA",
        references=(
            Reference(("member_id",), "members"),
            Reference(("isbn",), "books"),
        ),
        policies={"loan_id": "exempt", "desk": "exempt", "note": "semantic"},
    ),
    "holds": TableSchema(
        name="holds",
        row=Hold,
        key="hold_id",
        noun="hold",
        prefix="HLD",
        references=(
            Reference(("member_id",), "members"),
            Reference(("isbn",), "books"),
        ),
        policies={"hold_id": "exempt"},
    ),
}


class Database(store.Database):
    """The tables of Town library."""

    members: Table[Member]
    books: Table[Book]
    loans: Table[Loan]
    holds: Table[Hold]
