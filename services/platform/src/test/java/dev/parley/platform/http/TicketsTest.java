package dev.parley.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.platform.access.AccessDirectory;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TicketsTest {
    private static final Caller ADMIN = Caller.installation(AccessDirectory.NOTHING);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static Tickets at(String key, Instant time) {
        return new Tickets(
                new Callers(key, AccessDirectory.NOTHING, Clock.systemUTC()), Clock.fixed(time, ZoneOffset.UTC));
    }

    @Test
    void a_ticket_ends_after_a_minute() {
        var ticket = at("key", NOON).issue(ADMIN);
        assertEquals(NOON.plusSeconds(60), ticket.expiresAt());
        assertEquals(
                Optional.of(ADMIN.user()),
                at("key", NOON.plusSeconds(59)).check(ticket.ticket()).map(Caller::user));
        assertEquals(Optional.empty(), at("key", NOON.plusSeconds(60)).check(ticket.ticket()));
    }

    @Test
    void a_ticket_that_was_touched_is_none() {
        String ticket = at("key", NOON).issue(ADMIN).ticket();
        String later = at("other", NOON.plusSeconds(600)).issue(ADMIN).ticket();
        assertEquals(Optional.empty(), at("other", NOON).check(ticket), "signed with another key");
        assertEquals(Optional.empty(), at("key", NOON).check(later.split("\\.")[0] + "." + ticket.split("\\.")[1]));
        for (String broken : new String[] {"", ".", "a", "a.b", "%%%.%%%", ticket + "x", "x".repeat(5_000)}) {
            assertEquals(Optional.empty(), at("key", NOON).check(broken), broken);
        }
    }
}
