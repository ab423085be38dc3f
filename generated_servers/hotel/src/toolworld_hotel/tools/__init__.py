"""The tools of Hotel group: what an agent can do, one function each.

Each runs in a transaction over the database it is given: on any error nothing is changed.
"""

from .arrivals import assign_room, check_in, list_arrivals, release_room
from .availability import quote_stay, search_availability
from .bookings import (
    create_reservation,
    find_reservations,
    get_reservation,
    list_guest_reservations,
    list_room_reservations,
    name_companions,
    set_special_wishes,
)
from .cancellations import cancel_reservation, mark_no_show, quote_cancellation
from .changes import change_party, change_rate_plan, change_reservation_dates, change_room_type
from .charges import give_discount, list_charges, post_charge
from .complaints import file_complaint, list_complaints, resolve_complaint
from .corrections import transfer_charge, void_charge
from .departures import check_out, list_departures
from .employees import list_employees
from .folios import close_folio, get_folio, reopen_folio
from .guests import (
    find_guest,
    get_guest,
    register_guest,
    search_guests,
    set_guest_preferences,
    update_guest_contact,
)
from .hotels import get_hotel, get_hotel_day, get_time, list_hotels
from .housekeeping import (
    assign_housekeeping_task,
    cancel_housekeeping_task,
    complete_housekeeping_task,
    create_housekeeping_task,
    list_housekeeping_tasks,
)
from .late_checkouts import grant_late_checkout
from .lengths import extend_stay, quote_departure, shorten_stay
from .loyalty import list_points_entries
from .maintenance import (
    assign_maintenance_ticket,
    close_maintenance_ticket,
    list_maintenance_tickets,
    report_fault,
)
from .payments import list_payments, pay_with_points, pay_with_voucher, take_payment
from .rates import get_rate_plan, list_rate_plans
from .refunds import list_refunds, refund_payment
from .requests import (
    assign_request,
    cancel_request,
    complete_request,
    create_request,
    list_requests,
)
from .rooms import find_room, list_free_rooms, list_room_types, list_rooms
from .service_bookings import (
    book_service,
    cancel_service,
    complete_service,
    list_service_bookings,
    list_service_day,
    reschedule_service,
)
from .services import list_service_slots, list_services
from .stays import find_stay_in_room, get_stay, issue_key_card, list_in_house, move_room
from .vouchers import extend_voucher, get_voucher, issue_voucher, list_guest_vouchers, void_voucher

__all__ = [
    "list_arrivals",
    "assign_room",
    "release_room",
    "check_in",
    "search_availability",
    "quote_stay",
    "get_reservation",
    "find_reservations",
    "list_guest_reservations",
    "list_room_reservations",
    "create_reservation",
    "name_companions",
    "set_special_wishes",
    "quote_cancellation",
    "cancel_reservation",
    "mark_no_show",
    "change_reservation_dates",
    "change_room_type",
    "change_rate_plan",
    "change_party",
    "list_charges",
    "post_charge",
    "give_discount",
    "list_complaints",
    "file_complaint",
    "resolve_complaint",
    "void_charge",
    "transfer_charge",
    "list_departures",
    "check_out",
    "list_employees",
    "get_folio",
    "reopen_folio",
    "close_folio",
    "find_guest",
    "search_guests",
    "get_guest",
    "register_guest",
    "update_guest_contact",
    "set_guest_preferences",
    "list_hotels",
    "get_hotel",
    "get_time",
    "get_hotel_day",
    "list_housekeeping_tasks",
    "create_housekeeping_task",
    "assign_housekeeping_task",
    "complete_housekeeping_task",
    "cancel_housekeeping_task",
    "grant_late_checkout",
    "quote_departure",
    "extend_stay",
    "shorten_stay",
    "list_points_entries",
    "list_maintenance_tickets",
    "report_fault",
    "assign_maintenance_ticket",
    "close_maintenance_ticket",
    "list_payments",
    "take_payment",
    "pay_with_voucher",
    "pay_with_points",
    "get_rate_plan",
    "list_rate_plans",
    "list_refunds",
    "refund_payment",
    "list_requests",
    "create_request",
    "assign_request",
    "complete_request",
    "cancel_request",
    "list_room_types",
    "list_rooms",
    "find_room",
    "list_free_rooms",
    "list_service_bookings",
    "list_service_day",
    "book_service",
    "reschedule_service",
    "cancel_service",
    "complete_service",
    "list_services",
    "list_service_slots",
    "get_stay",
    "find_stay_in_room",
    "list_in_house",
    "move_room",
    "issue_key_card",
    "get_voucher",
    "list_guest_vouchers",
    "issue_voucher",
    "extend_voucher",
    "void_voucher",
]
