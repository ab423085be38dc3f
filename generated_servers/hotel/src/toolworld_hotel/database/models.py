"""The rows, value objects and enums of Hotel group, and its typed database."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ..values import Boolean, Date, Datetime, Integer, Key, Money, Number, Row, Text, Value
from . import store
from .schema import Reference, TableSchema
from .table import Table

BedKind: TypeAlias = Literal["single", "twin", "double", "queen", "king"]
RoomCondition: TypeAlias = Literal["clean", "dirty", "out_of_order"]
Board: TypeAlias = Literal["room_only", "breakfast", "half_board", "full_board"]
LoyaltyTier: TypeAlias = Literal["classic", "silver", "gold", "platinum"]
PointsReason: TypeAlias = Literal["welcome", "stay", "redeemed", "returned", "compensation"]
ReservationStatus: TypeAlias = Literal[
    "confirmed", "checked_in", "checked_out", "cancelled", "no_show"
]
Channel: TypeAlias = Literal["website", "phone", "front_desk", "agency"]
CancelReason: TypeAlias = Literal[
    "change_of_plans",
    "illness",
    "found_alternative",
    "travel_disruption",
    "booked_by_mistake",
    "other",
]
StayStatus: TypeAlias = Literal["in_house", "departed"]
FolioStatus: TypeAlias = Literal["open", "closed"]
ChargeKind: TypeAlias = Literal[
    "room_night",
    "city_tax",
    "restaurant",
    "minibar",
    "spa",
    "transfer",
    "tour",
    "laundry",
    "parking",
    "damage",
    "late_checkout",
    "cancellation_fee",
    "no_show_fee",
    "discount",
]
ExtraKind: TypeAlias = Literal["restaurant", "minibar", "laundry", "parking", "damage"]
PaymentMethod: TypeAlias = Literal["card", "cash", "bank_transfer", "voucher", "points"]
TillMethod: TypeAlias = Literal["card", "cash", "bank_transfer"]
RefundReason: TypeAlias = Literal[
    "cancellation", "overpayment", "billing_error", "service_failure", "wrong_folio"
]
RefundCause: TypeAlias = Literal["overpayment", "billing_error", "service_failure", "wrong_folio"]
StaffRole: TypeAlias = Literal["receptionist", "housekeeper", "technician", "concierge"]
CleaningKind: TypeAlias = Literal[
    "departure_clean", "stayover_clean", "deep_clean", "turndown", "linen_change"
]
WorkStatus: TypeAlias = Literal["open", "in_progress", "done", "cancelled"]
Priority: TypeAlias = Literal["low", "normal", "high", "urgent"]
FaultCategory: TypeAlias = Literal[
    "plumbing", "electrical", "heating", "furniture", "electronics", "lock"
]
ServiceKind: TypeAlias = Literal["spa", "restaurant", "transfer", "tour"]
BookingStatus: TypeAlias = Literal["booked", "completed", "cancelled"]
VoucherStatus: TypeAlias = Literal["active", "used", "void"]
VoucherReason: TypeAlias = Literal["gift", "goodwill", "promotion"]
RequestKind: TypeAlias = Literal[
    "extra_bed",
    "baby_cot",
    "extra_towels",
    "pillow",
    "wake_up_call",
    "luggage",
    "dietary",
    "decoration",
]
ComplaintCategory: TypeAlias = Literal[
    "noise", "cleanliness", "room_fault", "staff", "billing", "food"
]
Severity: TypeAlias = Literal["minor", "serious", "severe"]
ComplaintStatus: TypeAlias = Literal["open", "resolved"]

HotelId: TypeAlias = Key
RoomTypeId: TypeAlias = Key
RoomId: TypeAlias = Key
RatePlanId: TypeAlias = Key
GuestId: TypeAlias = Key
PointsEntryId: TypeAlias = Key
ReservationId: TypeAlias = Key
StayId: TypeAlias = Key
FolioId: TypeAlias = Key
ChargeId: TypeAlias = Key
PaymentId: TypeAlias = Key
RefundId: TypeAlias = Key
VoucherId: TypeAlias = Key
EmployeeId: TypeAlias = Key
HousekeepingTaskId: TypeAlias = Key
MaintenanceTicketId: TypeAlias = Key
ServiceId: TypeAlias = Key
ServiceBookingId: TypeAlias = Key
GuestRequestId: TypeAlias = Key
ComplaintId: TypeAlias = Key


class Address(Value):
    """A postal address.

    Attributes:
        street: Street and number.
        city: Town or city.
        postcode: Postal code.
        country: Two letter country code, such as PT.
    """

    street: Text
    city: Text
    postcode: Text
    country: Text


class Companion(Value):
    """Somebody who travels with the guest.

    Attributes:
        name: First and last name.
        child: Whether they are under twelve.
    """

    name: Text
    child: Boolean


class NightRate(Value):
    """The price of one night.

    Attributes:
        night: The day the night begins.
        amount: The price of the night with its meals. In EUR.
    """

    night: Date
    amount: Money


class StayOffer(Value):
    """What a stay in a room type costs under a rate plan.

    Attributes:
        room_type_id: The room type.
        room_type: The room type's name.
        rate_plan_id: The rate plan.
        rate_plan: The rate plan's name.
        board: The meals included.
        rooms_left: Rooms free through all the nights.
        nights: The price of each night, in order.
        total: The price of all nights. In EUR.
        city_tax: The city tax due on top of it at the hotel. In EUR.
        deposit: What has to be paid before arrival. In EUR.
        free_until: The last day to cancel free of charge; null if it is not, or no more.
    """

    room_type_id: RoomTypeId
    room_type: Text
    rate_plan_id: RatePlanId
    rate_plan: Text
    board: Board
    rooms_left: Integer
    nights: tuple[NightRate, ...]
    total: Money
    city_tax: Money
    deposit: Money
    free_until: Date | None = None


class CancellationQuote(Value):
    """What cancelling a reservation today would cost.

    Attributes:
        reservation_id: The reservation.
        free_until: The last day to cancel free of charge; null means never.
        fee: All that the hotel would charge: the rate's fee and booked services. In EUR.
        services: What of it is for services that begin within four hours, or have begun. In EUR.
        paid: What was paid so far. In EUR.
        refund: What would go back to the guest. In EUR.
        still_due: What the guest would still owe. In EUR.
    """

    reservation_id: ReservationId
    free_until: Date | None = None
    fee: Money
    services: Money
    paid: Money
    refund: Money
    still_due: Money


class ServiceSlot(Value):
    """A time at which a service can begin.

    Attributes:
        starts_at: When it begins.
        places_left: Places not booked yet.
    """

    starts_at: Datetime
    places_left: Integer


class HotelDay(Value):
    """One day of a hotel in figures.

    Attributes:
        hotel_id: The hotel.
        day: The day.
        rooms: Rooms of the house.
        out_of_order: Rooms out of order now.
        booked: Rooms booked or occupied for the night.
        arrivals: Reservations that arrive on the day.
        departures: Reservations that leave on the day.
        room_revenue: The booked rooms' prices for the night. In EUR.
        occupancy: Booked rooms as a share of all, with one decimal. In percent.
    """

    hotel_id: HotelId
    day: Date
    rooms: Integer
    out_of_order: Integer
    booked: Integer
    arrivals: Integer
    departures: Integer
    room_revenue: Money
    occupancy: Number


class HouseTimes(Value):
    """The date and time, and the hours of the day that the houses keep.

    Attributes:
        today: The date.
        weekday: The day of the week, such as Monday.
        now: The date and time.
        check_in_from: From when a room is sure to be ready; one that is ready is given out earlier.
        check_out_until: Until when a room is left.
        latest_check_out: Until when it is left with the longest late check-out.
    """

    today: Date
    weekday: Text
    now: Datetime
    check_in_from: Text
    check_out_until: Text
    latest_check_out: Text


class DepartureQuote(Value):
    """What another day of leaving would change on a guest's folio.

    Attributes:
        stay_id: The stay.
        booked_departure: The day of leaving booked.
        departure: The day of leaving that was tried.
        nights: What the nights add, or take off if negative. In EUR.
        city_tax: What the city tax adds, or takes off if negative. In EUR.
        late_checkout: What a late check-out that is taken back takes off, 0 or negative. In EUR.
        services: What services completed before they begin take off, as they are booked again, 0 or
            negative. In EUR.
        difference: All together: more to pay, or less if negative. In EUR.
    """

    stay_id: StayId
    booked_departure: Date
    departure: Date
    nights: Money
    city_tax: Money
    late_checkout: Money
    services: Money
    difference: Money


class RoomLine(Value):
    """A room in a list, with its type's name.

    Attributes:
        room_id: The room.
        number: The number on the door.
        room_type_id: Its category.
        room_type: The category's name.
        floor: The floor.
        accessible: Whether it is fit for a wheelchair.
        condition: Whether it can be given out.
    """

    room_id: RoomId
    number: Text
    room_type_id: RoomTypeId
    room_type: Text
    floor: Integer
    accessible: Boolean
    condition: RoomCondition


class ReservationLine(Value):
    """A reservation in a list, with the names that people say.

    Attributes:
        reservation_id: The confirmation number.
        guest_id: Who booked and stays.
        guest: The guest's first and last name.
        hotel_id: The hotel.
        room_type_id: The category of the room set aside or lived in; the one booked, until a move.
        room_type: The room type's name.
        rate_plan_id: The rate plan booked.
        rate_plan: The rate plan's name.
        room_id: The room set aside or occupied, if any.
        room: The number on its door, if any.
        arrival: The first night.
        departure: The day of leaving.
        adults: People of twelve and older.
        children: People under twelve.
        total: The price of all nights. In EUR.
        status: Where it stands.
    """

    reservation_id: ReservationId
    guest_id: GuestId
    guest: Text
    hotel_id: HotelId
    room_type_id: RoomTypeId
    room_type: Text
    rate_plan_id: RatePlanId
    rate_plan: Text
    room_id: RoomId | None = None
    room: Text | None = None
    arrival: Date
    departure: Date
    adults: Integer
    children: Integer
    total: Money
    status: ReservationStatus


class StayLine(Value):
    """A guest in the house, with the room's number.

    Attributes:
        stay_id: The stay.
        reservation_id: The reservation.
        guest_id: Who stays.
        guest: The guest's first and last name.
        room_id: The room.
        room: The number on its door.
        arrival: The first night.
        departure: The day of leaving.
        late_checkout_hours: Hours granted past noon on the day of leaving, 0 for none.
        key_cards: Key cards handed out.
    """

    stay_id: StayId
    reservation_id: ReservationId
    guest_id: GuestId
    guest: Text
    room_id: RoomId
    room: Text
    arrival: Date
    departure: Date
    late_checkout_hours: Integer
    key_cards: Integer


class HousekeepingTaskLine(Value):
    """A housekeeping task in a list, with the room's number.

    Attributes:
        task_id: The task.
        room_id: The room.
        room: The number on its door.
        kind: What is done.
        status: Where it stands.
        priority: How soon.
        due_on: The day it is to be done.
        employee_id: Who does it, once given out.
        employee: Their first and last name, if given out.
        done_at: When it was done, if so.
        note: A remark for the housekeeper.
    """

    task_id: HousekeepingTaskId
    room_id: RoomId
    room: Text
    kind: CleaningKind
    status: WorkStatus
    priority: Priority
    due_on: Date
    employee_id: EmployeeId | None = None
    employee: Text | None = None
    done_at: Datetime | None = None
    note: Text | None = None


class MaintenanceTicketLine(Value):
    """A maintenance ticket in a list, with the room's number.

    Attributes:
        ticket_id: The ticket.
        room_id: The room.
        room: The number on its door.
        category: What is broken.
        description: What was seen.
        priority: How soon it has to be repaired.
        blocks_room: Whether the room cannot be used meanwhile.
        status: Where it stands.
        opened_at: When it was reported.
        employee_id: Which technician has it, if any.
        employee: Their first and last name, if any.
        closed_at: When it was repaired or dropped, if so.
        resolution: What was done, if it is over.
    """

    ticket_id: MaintenanceTicketId
    room_id: RoomId
    room: Text
    category: FaultCategory
    description: Text
    priority: Priority
    blocks_room: Boolean
    status: WorkStatus
    opened_at: Datetime
    employee_id: EmployeeId | None = None
    employee: Text | None = None
    closed_at: Datetime | None = None
    resolution: Text | None = None


class ServiceBookingLine(Value):
    """A service booking in a list, with the names of service and guest.

    Attributes:
        booking_id: The booking.
        reservation_id: The reservation it belongs to.
        guest: The guest's first and last name.
        room: The number of the guest's room, if known.
        service_id: The service.
        service: The service's name.
        starts_at: When it begins.
        persons: For how many people.
        price: The price for all of them. In EUR.
        status: Where it stands.
        note: A remark, such as an allergy.
    """

    booking_id: ServiceBookingId
    reservation_id: ReservationId
    guest: Text
    room: Text | None = None
    service_id: ServiceId
    service: Text
    starts_at: Datetime
    persons: Integer
    price: Money
    status: BookingStatus
    note: Text | None = None


class GuestRequestLine(Value):
    """A guest's request in a list, with the guest's name and room.

    Attributes:
        request_id: The request.
        reservation_id: The reservation of the guest.
        guest: The guest's first and last name.
        room: The number of the guest's room, if known.
        kind: What is asked for.
        details: What exactly, in words.
        wanted_on: The day it is wanted.
        status: Where it stands.
        made_at: When it was made.
        employee_id: Who saw to it, if anybody.
        employee: Their first and last name, if anybody.
    """

    request_id: GuestRequestId
    reservation_id: ReservationId
    guest: Text
    room: Text | None = None
    kind: RequestKind
    details: Text
    wanted_on: Date
    status: WorkStatus
    made_at: Datetime
    employee_id: EmployeeId | None = None
    employee: Text | None = None


class ComplaintLine(Value):
    """A complaint in a list, with the guest's name and room.

    Attributes:
        complaint_id: The complaint.
        reservation_id: The reservation of the guest.
        guest: The guest's first and last name.
        room: The number of the guest's room, if known.
        category: What it is about.
        severity: How bad it is.
        details: What happened.
        status: Where it stands.
        made_at: When it was made.
        resolved_at: When it was resolved, if so.
        resolution: What was done about it, if resolved.
        points: Points given to make up for it, 0 for none.
    """

    complaint_id: ComplaintId
    reservation_id: ReservationId
    guest: Text
    room: Text | None = None
    category: ComplaintCategory
    severity: Severity
    details: Text
    status: ComplaintStatus
    made_at: Datetime
    resolved_at: Datetime | None = None
    resolution: Text | None = None
    points: Integer


class Hotel(Row):
    """One house of the group.

    Attributes:
        hotel_id: The hotel's short code, such as LISBON.
        name: The name over the door.
        address: Where it stands.
        phone: The number of the front desk.
        stars: Official stars, 1 to 5.
        city_tax: City tax for each adult and night, paid at the hotel. In EUR.
    """

    hotel_id: HotelId
    name: Text
    address: Address
    phone: Text
    stars: Integer
    city_tax: Money


class RoomType(Row):
    """A category of rooms in one hotel, sold at one base rate.

    Attributes:
        room_type_id: The room type.
        hotel_id: The hotel.
        name: The category's name, such as Deluxe King.
        beds: The beds in it.
        capacity: Most people in it, children included.
        size: Floor space. In square metres.
        base_rate: A night's price on a weekday out of season. In EUR.
    """

    room_type_id: RoomTypeId
    hotel_id: HotelId
    name: Text
    beds: BedKind
    capacity: Integer
    size: Number
    base_rate: Money


class Room(Row):
    """One room with a door and a number.

    Attributes:
        room_id: The room.
        hotel_id: The hotel.
        room_type_id: Its category.
        number: The number on the door, unique in the hotel.
        floor: The floor.
        accessible: Whether it is fit for a wheelchair.
        condition: Whether it can be given out.
    """

    room_id: RoomId
    hotel_id: HotelId
    room_type_id: RoomTypeId
    number: Text
    floor: Integer
    accessible: Boolean
    condition: RoomCondition


class RatePlan(Row):
    """A way to buy a night in one hotel; what is included and the terms of cancelling.

    Attributes:
        rate_plan_id: The rate plan.
        hotel_id: The hotel.
        name: The plan's name, such as Advance Saver.
        board: The meals included.
        base_percent: The share of the base rate charged. In percent.
        board_price: Meals for each adult and night; children half. In EUR.
        min_nights: The shortest stay it is sold for.
        deposit_percent: The share to be paid before arrival. In percent.
        free_cancel_days: Free cancelling ends this many days before arrival; null means never free.
        late_cancel_percent: The share kept after that, and for a no-show. In percent.
        on_sale: Whether new reservations may use it.
    """

    rate_plan_id: RatePlanId
    hotel_id: HotelId
    name: Text
    board: Board
    base_percent: Integer
    board_price: Money
    min_nights: Integer
    deposit_percent: Integer
    free_cancel_days: Integer | None = None
    late_cancel_percent: Integer
    on_sale: Boolean


class Guest(Row):
    """A person known to the group, and their loyalty account.

    Attributes:
        guest_id: The guest.
        first_name: First name.
        last_name: Last name.
        email: E-mail address, in lower case.
        phone: Telephone number.
        address: Home address.
        joined_on: The day the account was opened.
        tier: Loyalty tier.
        nights_stayed: All nights stayed, the base of the tier.
        points: The points balance.
        banned: Whether the group refuses to house them.
        preferences: What they like in a room, in their words.
    """

    guest_id: GuestId
    first_name: Text
    last_name: Text
    email: Text
    phone: Text
    address: Address
    joined_on: Date
    tier: LoyaltyTier
    nights_stayed: Integer
    points: Integer
    banned: Boolean
    preferences: Text | None = None


class PointsEntry(Row):
    """One change of a guest's points.

    Attributes:
        entry_id: The entry.
        guest_id: The guest.
        reservation_id: The reservation it belongs to, if any.
        change: Points given, or taken if negative.
        reason: Why.
        made_at: When.
    """

    entry_id: PointsEntryId
    guest_id: GuestId
    reservation_id: ReservationId | None = None
    change: Integer
    reason: PointsReason
    made_at: Datetime


class Reservation(Row):
    """A booking of one room of a type for some nights.

    Its id is the confirmation number.

    Attributes:
        reservation_id: The reservation; guests know it as the confirmation number.
        guest_id: Who booked and stays.
        hotel_id: The hotel.
        room_type_id: The category of the room set aside or lived in; the one booked, until a move.
        rate_plan_id: The rate plan booked.
        room_id: The room set aside or occupied, if any.
        arrival: The first night.
        departure: The day of leaving, not a night any more.
        adults: People of twelve and older.
        children: People under twelve.
        companions: Those who come along, as far as named.
        nights: The price of each night, in order.
        total: The price of all nights. In EUR.
        deposit_due: What has to be paid before arrival. In EUR.
        status: Where it stands.
        channel: How it came in.
        booked_at: When it was made.
        cancelled_at: When it was cancelled, if it was.
        cancel_reason: Why it was cancelled, if it was.
        wishes: Special wishes for the stay.
    """

    reservation_id: ReservationId
    guest_id: GuestId
    hotel_id: HotelId
    room_type_id: RoomTypeId
    rate_plan_id: RatePlanId
    room_id: RoomId | None = None
    arrival: Date
    departure: Date
    adults: Integer
    children: Integer
    companions: tuple[Companion, ...]
    nights: tuple[NightRate, ...]
    total: Money
    deposit_due: Money
    status: ReservationStatus
    channel: Channel
    booked_at: Datetime
    cancelled_at: Datetime | None = None
    cancel_reason: CancelReason | None = None
    wishes: Text | None = None


class Stay(Row):
    """A guest's presence in a room, from check-in to check-out.

    Attributes:
        stay_id: The stay.
        reservation_id: The reservation.
        hotel_id: The hotel.
        room_id: The room lived in (last).
        booked_type_id: The category booked, at whose prices the guest stays; the room may be
            better.
        status: Whether the guest is in the house.
        checked_in_at: When the guest checked in.
        checked_out_at: When the guest checked out, if so.
        late_checkout_hours: Hours granted past noon on the day of leaving, 0 for none.
        key_cards: Key cards handed out.
    """

    stay_id: StayId
    reservation_id: ReservationId
    hotel_id: HotelId
    room_id: RoomId
    booked_type_id: RoomTypeId
    status: StayStatus
    checked_in_at: Datetime
    checked_out_at: Datetime | None = None
    late_checkout_hours: Integer
    key_cards: Integer


class Folio(Row):
    """The account of a reservation.

    Attributes:
        folio_id: The folio.
        reservation_id: The reservation.
        hotel_id: The hotel.
        status: Whether it takes charges and payments.
        opened_at: When it was opened.
        closed_at: When it was closed, if so.
        charged: The sum of the charges that are not voided. In EUR.
        paid: The sum of the payments less their refunds. In EUR.
        due: Charged less paid; below zero if too much was paid. In EUR.
    """

    folio_id: FolioId
    reservation_id: ReservationId
    hotel_id: HotelId
    status: FolioStatus
    opened_at: Datetime
    closed_at: Datetime | None = None
    charged: Money
    paid: Money
    due: Money


class Charge(Row):
    """One line of a folio.

    Attributes:
        charge_id: The charge.
        folio_id: The folio.
        kind: What it is for.
        description: The line as printed.
        quantity: How many.
        unit_price: The price of one, negative for a discount. In EUR.
        amount: Quantity times unit price. In EUR.
        posted_at: When it was posted.
        night: The night charged, for room nights and city tax.
        booking_id: The service booking charged, if any.
        voided: Whether it was taken back.
        void_reason: Why it was taken back, if so.
    """

    charge_id: ChargeId
    folio_id: FolioId
    kind: ChargeKind
    description: Text
    quantity: Integer
    unit_price: Money
    amount: Money
    posted_at: Datetime
    night: Date | None = None
    booking_id: ServiceBookingId | None = None
    voided: Boolean
    void_reason: Text | None = None


class Payment(Row):
    """Money taken for a folio.

    Attributes:
        payment_id: The payment.
        folio_id: The folio.
        method: How it was made.
        amount: What was taken. In EUR.
        refunded: What has gone back of it. In EUR.
        paid_at: When.
        card_last4: The last four digits of the card, for a card.
        voucher_id: The voucher spent, for a voucher.
    """

    payment_id: PaymentId
    folio_id: FolioId
    method: PaymentMethod
    amount: Money
    refunded: Money
    paid_at: Datetime
    card_last4: Text | None = None
    voucher_id: VoucherId | None = None


class Refund(Row):
    """Money given back of a payment, by the way it came.

    Attributes:
        refund_id: The refund.
        payment_id: The payment it goes back on.
        amount: What went back. In EUR.
        reason: Why.
        made_at: When.
    """

    refund_id: RefundId
    payment_id: PaymentId
    amount: Money
    reason: RefundReason
    made_at: Datetime


class Voucher(Row):
    """A prepaid amount to spend in any hotel of the group.

    Its id is printed on it.

    Attributes:
        voucher_id: The voucher, as printed on it.
        guest_id: Whose it is.
        reason: Why it was issued.
        value: What it was worth when new. In EUR.
        balance: What is left on it. In EUR.
        status: Whether it can be spent.
        issued_on: The day it was issued.
        expires_on: The last day it can be spent.
    """

    voucher_id: VoucherId
    guest_id: GuestId
    reason: VoucherReason
    value: Money
    balance: Money
    status: VoucherStatus
    issued_on: Date
    expires_on: Date


class Employee(Row):
    """A member of staff of one hotel.

    Attributes:
        employee_id: The member of staff.
        hotel_id: Where they work.
        name: First and last name.
        role: What they do.
        on_shift: Whether they are at work now.
    """

    employee_id: EmployeeId
    hotel_id: HotelId
    name: Text
    role: StaffRole
    on_shift: Boolean


class HousekeepingTask(Row):
    """Something housekeeping does in a room.

    Attributes:
        task_id: The task.
        hotel_id: The hotel.
        room_id: The room.
        kind: What is done.
        status: Where it stands.
        priority: How soon.
        due_on: The day it is to be done.
        employee_id: Who does it, once given out.
        done_at: When it was done, if so.
        note: A remark for the housekeeper.
    """

    task_id: HousekeepingTaskId
    hotel_id: HotelId
    room_id: RoomId
    kind: CleaningKind
    status: WorkStatus
    priority: Priority
    due_on: Date
    employee_id: EmployeeId | None = None
    done_at: Datetime | None = None
    note: Text | None = None


class MaintenanceTicket(Row):
    """Something broken in a room.

    Attributes:
        ticket_id: The ticket.
        hotel_id: The hotel.
        room_id: The room.
        category: What is broken.
        description: What was seen.
        priority: How soon it has to be repaired.
        blocks_room: Whether the room cannot be used meanwhile.
        status: Where it stands.
        opened_at: When it was reported.
        employee_id: Which technician has it, if any.
        closed_at: When it was repaired or dropped, if so.
        resolution: What was done, if it is over.
    """

    ticket_id: MaintenanceTicketId
    hotel_id: HotelId
    room_id: RoomId
    category: FaultCategory
    description: Text
    priority: Priority
    blocks_room: Boolean
    status: WorkStatus
    opened_at: Datetime
    employee_id: EmployeeId | None = None
    closed_at: Datetime | None = None
    resolution: Text | None = None


class Service(Row):
    """Something a hotel's guests can book, in slots that begin every hour.

    Attributes:
        service_id: The service.
        hotel_id: The hotel.
        kind: What it is.
        name: Its name, such as Harbour Massage.
        price: The price for one person. In EUR.
        places: People in one slot.
        minutes: How long it takes. In minutes.
        first_hour: The first slot's hour, 0 to 23.
        last_hour: The last slot's hour, 0 to 23.
    """

    service_id: ServiceId
    hotel_id: HotelId
    kind: ServiceKind
    name: Text
    price: Money
    places: Integer
    minutes: Integer
    first_hour: Integer
    last_hour: Integer


class ServiceBooking(Row):
    """A service booked by a guest with a reservation.

    Attributes:
        booking_id: The booking.
        reservation_id: The reservation it belongs to.
        service_id: The service.
        starts_at: When it begins.
        persons: For how many people.
        price: The price for all of them. In EUR.
        status: Where it stands.
        note: A remark, such as an allergy.
    """

    booking_id: ServiceBookingId
    reservation_id: ReservationId
    service_id: ServiceId
    starts_at: Datetime
    persons: Integer
    price: Money
    status: BookingStatus
    note: Text | None = None


class GuestRequest(Row):
    """Something a guest asks the house for.

    Attributes:
        request_id: The request.
        reservation_id: The reservation of the guest.
        hotel_id: The hotel.
        kind: What is asked for.
        details: What exactly, in words.
        wanted_on: The day it is wanted.
        status: Where it stands.
        made_at: When it was made.
        employee_id: Who saw to it, if anybody.
    """

    request_id: GuestRequestId
    reservation_id: ReservationId
    hotel_id: HotelId
    kind: RequestKind
    details: Text
    wanted_on: Date
    status: WorkStatus
    made_at: Datetime
    employee_id: EmployeeId | None = None


class Complaint(Row):
    """Something a guest was unhappy with, and what came of it.

    Attributes:
        complaint_id: The complaint.
        reservation_id: The reservation of the guest.
        hotel_id: The hotel.
        category: What it is about.
        severity: How bad it is.
        details: What happened.
        status: Where it stands.
        made_at: When it was made.
        resolved_at: When it was resolved, if so.
        resolution: What was done about it, if resolved.
        points: Points given to make up for it, 0 for none.
    """

    complaint_id: ComplaintId
    reservation_id: ReservationId
    hotel_id: HotelId
    category: ComplaintCategory
    severity: Severity
    details: Text
    status: ComplaintStatus
    made_at: Datetime
    resolved_at: Datetime | None = None
    resolution: Text | None = None
    points: Integer


SCHEMAS: dict[str, TableSchema] = {
    "hotels": TableSchema(
        name="hotels",
        row=Hotel,
        key="hotel_id",
        noun="hotel",
        unique=("name",),
    ),
    "room_types": TableSchema(
        name="room_types",
        row=RoomType,
        key="room_type_id",
        noun="room type",
        prefix="RTY",
        references=(Reference(("hotel_id",), "hotels"),),
        policies={"room_type_id": "exempt"},
    ),
    "rooms": TableSchema(
        name="rooms",
        row=Room,
        key="room_id",
        noun="room",
        prefix="ROM",
        references=(
            Reference(("hotel_id",), "hotels"),
            Reference(("room_type_id",), "room_types"),
        ),
        policies={"room_id": "exempt"},
    ),
    "rate_plans": TableSchema(
        name="rate_plans",
        row=RatePlan,
        key="rate_plan_id",
        noun="rate plan",
        prefix="RPL",
        references=(Reference(("hotel_id",), "hotels"),),
        policies={"rate_plan_id": "exempt"},
    ),
    "guests": TableSchema(
        name="guests",
        row=Guest,
        key="guest_id",
        noun="guest",
        prefix="GST",
        unique=("email",),
        policies={"guest_id": "exempt", "preferences": "semantic"},
    ),
    "points_entries": TableSchema(
        name="points_entries",
        row=PointsEntry,
        key="entry_id",
        noun="points entry",
        prefix="PTS",
        references=(
            Reference(("guest_id",), "guests"),
            Reference(("reservation_id",), "reservations"),
        ),
        policies={"entry_id": "exempt"},
    ),
    "reservations": TableSchema(
        name="reservations",
        row=Reservation,
        key="reservation_id",
        noun="reservation",
        prefix="RES",
        references=(
            Reference(("guest_id",), "guests"),
            Reference(("hotel_id",), "hotels"),
            Reference(("room_type_id",), "room_types"),
            Reference(("rate_plan_id",), "rate_plans"),
            Reference(("room_id",), "rooms"),
        ),
        policies={"reservation_id": "exempt", "wishes": "semantic"},
    ),
    "stays": TableSchema(
        name="stays",
        row=Stay,
        key="stay_id",
        noun="stay",
        prefix="STY",
        unique=("reservation_id",),
        references=(
            Reference(("reservation_id",), "reservations"),
            Reference(("hotel_id",), "hotels"),
            Reference(("room_id",), "rooms"),
            Reference(("booked_type_id",), "room_types"),
        ),
        policies={"stay_id": "exempt"},
    ),
    "folios": TableSchema(
        name="folios",
        row=Folio,
        key="folio_id",
        noun="folio",
        prefix="FOL",
        unique=("reservation_id",),
        references=(
            Reference(("reservation_id",), "reservations"),
            Reference(("hotel_id",), "hotels"),
        ),
        policies={"folio_id": "exempt"},
    ),
    "charges": TableSchema(
        name="charges",
        row=Charge,
        key="charge_id",
        noun="charge",
        prefix="CHG",
        references=(
            Reference(("folio_id",), "folios"),
            Reference(("booking_id",), "service_bookings"),
        ),
        policies={"charge_id": "exempt", "description": "semantic", "void_reason": "semantic"},
    ),
    "payments": TableSchema(
        name="payments",
        row=Payment,
        key="payment_id",
        noun="payment",
        prefix="PAY",
        references=(
            Reference(("folio_id",), "folios"),
            Reference(("voucher_id",), "vouchers"),
        ),
        policies={"payment_id": "exempt"},
    ),
    "refunds": TableSchema(
        name="refunds",
        row=Refund,
        key="refund_id",
        noun="refund",
        prefix="REF",
        references=(Reference(("payment_id",), "payments"),),
        policies={"refund_id": "exempt"},
    ),
    "vouchers": TableSchema(
        name="vouchers",
        row=Voucher,
        key="voucher_id",
        noun="voucher",
        prefix="VCH",
        references=(Reference(("guest_id",), "guests"),),
        policies={"voucher_id": "exempt"},
    ),
    "employees": TableSchema(
        name="employees",
        row=Employee,
        key="employee_id",
        noun="employee",
        prefix="EMP",
        references=(Reference(("hotel_id",), "hotels"),),
        policies={"employee_id": "exempt"},
    ),
    "housekeeping_tasks": TableSchema(
        name="housekeeping_tasks",
        row=HousekeepingTask,
        key="task_id",
        noun="housekeeping task",
        prefix="HKT",
        references=(
            Reference(("hotel_id",), "hotels"),
            Reference(("room_id",), "rooms"),
            Reference(("employee_id",), "employees"),
        ),
        policies={"task_id": "exempt", "note": "semantic"},
    ),
    "maintenance_tickets": TableSchema(
        name="maintenance_tickets",
        row=MaintenanceTicket,
        key="ticket_id",
        noun="maintenance ticket",
        prefix="MNT",
        references=(
            Reference(("hotel_id",), "hotels"),
            Reference(("room_id",), "rooms"),
            Reference(("employee_id",), "employees"),
        ),
        policies={"ticket_id": "exempt", "description": "semantic", "resolution": "semantic"},
    ),
    "services": TableSchema(
        name="services",
        row=Service,
        key="service_id",
        noun="service",
        prefix="SVC",
        references=(Reference(("hotel_id",), "hotels"),),
        policies={"service_id": "exempt"},
    ),
    "service_bookings": TableSchema(
        name="service_bookings",
        row=ServiceBooking,
        key="booking_id",
        noun="service booking",
        prefix="SBK",
        references=(
            Reference(("reservation_id",), "reservations"),
            Reference(("service_id",), "services"),
        ),
        policies={"booking_id": "exempt", "note": "semantic"},
    ),
    "guest_requests": TableSchema(
        name="guest_requests",
        row=GuestRequest,
        key="request_id",
        noun="guest request",
        prefix="REQ",
        references=(
            Reference(("reservation_id",), "reservations"),
            Reference(("hotel_id",), "hotels"),
            Reference(("employee_id",), "employees"),
        ),
        policies={"request_id": "exempt", "details": "semantic"},
    ),
    "complaints": TableSchema(
        name="complaints",
        row=Complaint,
        key="complaint_id",
        noun="complaint",
        prefix="CMP",
        references=(
            Reference(("reservation_id",), "reservations"),
            Reference(("hotel_id",), "hotels"),
        ),
        policies={"complaint_id": "exempt", "details": "semantic", "resolution": "semantic"},
    ),
}


class Database(store.Database):
    """The tables of Hotel group."""

    hotels: Table[Hotel]
    room_types: Table[RoomType]
    rooms: Table[Room]
    rate_plans: Table[RatePlan]
    guests: Table[Guest]
    points_entries: Table[PointsEntry]
    reservations: Table[Reservation]
    stays: Table[Stay]
    folios: Table[Folio]
    charges: Table[Charge]
    payments: Table[Payment]
    refunds: Table[Refund]
    vouchers: Table[Voucher]
    employees: Table[Employee]
    housekeeping_tasks: Table[HousekeepingTask]
    maintenance_tickets: Table[MaintenanceTicket]
    services: Table[Service]
    service_bookings: Table[ServiceBooking]
    guest_requests: Table[GuestRequest]
    complaints: Table[Complaint]
