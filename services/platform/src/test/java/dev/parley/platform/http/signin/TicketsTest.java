package dev.parley.platform.http.signin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Sha256;
import dev.parley.domain.access.AccessRecord;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.ProjectRole;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Callers;
import dev.parley.platform.sealing.InstallationKey;
import dev.parley.platform.testkit.Somebody;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class TicketsTest {
    private static final Caller ADMIN = Caller.installation(AccessDirectory.NOTHING);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final String KEY = key("key");
    private static final String OTHER = key("other");

    private static String key(String name) {
        return Base64.getEncoder().encodeToString(Sha256.of(name));
    }

    private static Tickets at(String keys, Instant time) {
        return at(keys, time, AccessDirectory.NOTHING);
    }

    private static Tickets at(String keys, Instant time, AccessDirectory directory) {
        Clock clock = Clock.fixed(time, ZoneOffset.UTC);
        return new Tickets(
                new Callers("secret", directory, clock),
                new ClaimKeys(Optional.of(InstallationKey.parse(keys))),
                clock);
    }

    @Test
    @Tag("B59")
    void ticketIsSignedWithTheNewestKeyAndVerifiedWithAll() {
        // Given
        String before = at(KEY, NOON).issue(ADMIN).ticket();
        String after = at(OTHER + "," + KEY, NOON).issue(ADMIN).ticket();

        // Then
        assertTrue(at(OTHER + "," + KEY, NOON).check(before).isPresent(), "a key that was replaced");
        assertTrue(at(OTHER, NOON).check(after).isPresent());
        assertEquals(Optional.empty(), at(KEY, NOON).check(after));
        assertEquals(Optional.empty(), at(OTHER, NOON).check(before), "a key that was removed");
    }

    @Test
    @Tag("B59")
    void nothingElseOfTheInstallationIsATicket() {
        for (InstallationKey.Purpose purpose : InstallationKey.Purpose.values()) {
            // Given
            var claim = new SignedClaim(
                    InstallationKey.parse(KEY).macs(purpose),
                    new Callers("secret", AccessDirectory.NOTHING, Clock.systemUTC()),
                    Clock.fixed(NOON, ZoneOffset.UTC));

            // Then
            assertEquals(
                    purpose == InstallationKey.Purpose.TICKETS,
                    at(KEY, NOON).check(claim.issue(ADMIN, NOON.plusSeconds(9))).isPresent(),
                    purpose.name());
        }
    }

    @Test
    void ticketExpiresAfterAMinute() {
        var ticket = at(KEY, NOON).issue(ADMIN);
        assertEquals(NOON.plusSeconds(60), ticket.expiresAt());
        assertEquals(
                Optional.of(ADMIN.user()),
                at(KEY, NOON.plusSeconds(59)).check(ticket.ticket()).map(Caller::user));
        assertEquals(Optional.empty(), at(KEY, NOON.plusSeconds(60)).check(ticket.ticket()));
    }

    @Test
    void rejectsATamperedTicket() {
        String ticket = at(KEY, NOON).issue(ADMIN).ticket();
        String laterTicket = at(OTHER, NOON.plusSeconds(600)).issue(ADMIN).ticket();
        assertEquals(Optional.empty(), at(OTHER, NOON).check(ticket), "signed with another key");
        assertEquals(
                Optional.empty(),
                at(KEY, NOON).check(laterTicket.split("\\.", 2)[0] + "." + ticket.split("\\.", 2)[1]));
        for (String broken : new String[] {"", ".", "a", "a.b", "%%%.%%%", ticket + "x", "x".repeat(5_000)}) {
            assertEquals(Optional.empty(), at(KEY, NOON).check(broken), broken);
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
        assertEquals(Optional.empty(), at(KEY, NOON).check(ticket), "the person is not there");
    }

    private static Tickets at(Instant time, AccessDirectory directory) {
        return at(KEY, time, directory);
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
