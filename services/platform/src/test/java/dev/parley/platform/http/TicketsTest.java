package dev.parley.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.ProjectRole;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.testkit.Somebody;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TicketsTest {
    private static final Caller ADMIN = Caller.installation(AccessDirectory.NOTHING);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static Tickets at(String key, Instant time) {
        return new Tickets(
                new Callers(key, AccessDirectory.NOTHING, Clock.systemUTC()), Clock.fixed(time, ZoneOffset.UTC));
    }

    @Test
    void ticketExpiresAfterAMinute() {
        var ticket = at("key", NOON).issue(ADMIN);
        assertEquals(NOON.plusSeconds(60), ticket.expiresAt());
        assertEquals(
                Optional.of(ADMIN.user()),
                at("key", NOON.plusSeconds(59)).check(ticket.ticket()).map(Caller::user));
        assertEquals(Optional.empty(), at("key", NOON.plusSeconds(60)).check(ticket.ticket()));
    }

    @Test
    void rejectsATamperedTicket() {
        String ticket = at("key", NOON).issue(ADMIN).ticket();
        String laterTicket = at("other", NOON.plusSeconds(600)).issue(ADMIN).ticket();
        assertEquals(Optional.empty(), at("other", NOON).check(ticket), "signed with another key");
        assertEquals(
                Optional.empty(), at("key", NOON).check(laterTicket.split("\\.")[0] + "." + ticket.split("\\.")[1]));
        for (String broken : new String[] {"", ".", "a", "a.b", "%%%.%%%", ticket + "x", "x".repeat(5_000)}) {
            assertEquals(Optional.empty(), at("key", NOON).check(broken), broken);
        }
    }

    @Test
    void ticketOfAnIssuedTokenExpiresWithTheToken() {
        // Given
        Caller somebody = Somebody.with("ann", ProjectRole.MEMBER);
        Instant end = NOON.plusSeconds(30);
        var issued = new AccessKey(
                AccessRecord.KeyKind.API_KEY,
                somebody.host(),
                somebody.person().user(),
                somebody.person().user(),
                AccessKey.ISSUED,
                "jwt_12345678",
                "",
                null,
                List.of("project.read", "session.read"),
                end);
        AccessDirectory directory = new Accounts(somebody.person());
        var caller = new Caller(somebody.person(), issued, directory);
        String ticket = at(NOON, directory).issue(caller).ticket();

        // Then
        assertEquals(
                Optional.of(issued),
                at(NOON.plusSeconds(29), directory).check(ticket).map(Caller::key));
        assertEquals(Optional.empty(), at(end, directory).check(ticket), "the token has ended");
        assertEquals(Optional.empty(), at("key", NOON).check(ticket), "the person is not there");
    }

    private static Tickets at(Instant time, AccessDirectory directory) {
        Clock clock = Clock.fixed(time, ZoneOffset.UTC);
        return new Tickets(new Callers("key", directory, clock), clock);
    }

    /** A directory of one account. */
    private record Accounts(AccessRecord.Account one) implements AccessDirectory {
        @Override
        public Optional<AccessRecord.Account> account(UUID host, UUID user) {
            return Optional.of(one).filter(account -> account.user().equals(user));
        }

        @Override
        public Optional<AccessKey> key(String prefix) {
            return Optional.empty();
        }

        @Override
        public Optional<AccessRecord.Project> project(String projectKey) {
            return Optional.empty();
        }

        @Override
        public Optional<AccessRecord.Member> member(UUID project, UUID user) {
            return Optional.empty();
        }

        @Override
        public Optional<AccessRecord.Setting> setting(UUID host, String name) {
            return Optional.empty();
        }

        @Override
        public void catchUp() {
            // nothing changes
        }
    }
}
