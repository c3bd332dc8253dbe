package dev.parley.channels.web;

import dev.parley.platform.http.Authenticated;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.signin.Tickets;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.serde.annotation.Serdeable;
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

    /**
     * A ticket that opens a stream in place of the key.
     *
     * @param ticket Value of the query parameter ticket.
     * @param expiresAt Time at which the ticket expires.
     */
    @Serdeable
    @Schema(name = "Ticket")
    record TicketJson(String ticket, Instant expiresAt) {}

    /**
     * Create a ticket for a stream. Browsers cannot send a header with EventSource and WebSocket; they add ?ticket= to
     * the URL instead. A ticket is valid for one minute; a stream opened with it may last longer.
     */
    @Authenticated
    @Post("/v1/tickets")
    @ApiResponse(responseCode = "201", description = "The ticket was created.")
    HttpResponse<TicketJson> issue(Caller caller) {
        var ticket = tickets.issue(caller);
        return HttpResponse.created(new TicketJson(ticket.ticket(), ticket.expiresAt()));
    }
}
