package dev.parley.channels.web;

import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Tickets;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;

/** Issues tickets to browsers. */
@Controller
@Requires(property = "parley.role.channels", value = "true")
@Tag(name = "Events", description = "Follow sessions in real time.")
class TicketController {
    private final Tickets tickets;

    TicketController(Tickets tickets) {
        this.tickets = tickets;
    }

    /** A ticket as JSON. */
    @Serdeable
    @Schema(name = "Ticket", description = "A ticket that opens a stream in place of the key.")
    record TicketJson(
            @Schema(description = "Value of the query parameter ticket.")
            String ticket,

            @Schema(description = "Time at which the ticket expires.")
            Instant expiresAt) {}

    @Authenticated
    @Post("/v1/tickets")
    @Operation(
            summary = "Create a ticket for a stream",
            description = "Browsers cannot send a header with EventSource and WebSocket; they add ?ticket= to "
                    + "the URL instead. A ticket is valid for one minute; a stream opened with it may last "
                    + "longer.")
    @ApiResponse(responseCode = "201", description = "The ticket was created.")
    HttpResponse<TicketJson> issue(Caller caller) {
        var ticket = tickets.issue(caller);
        return HttpResponse.created(new TicketJson(ticket.ticket(), ticket.expiresAt()));
    }
}
