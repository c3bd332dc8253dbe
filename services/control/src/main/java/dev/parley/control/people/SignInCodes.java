package dev.parley.control.people;

import dev.parley.domain.Sha256;
import dev.parley.platform.access.BearerToken;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** One-time sign-in codes of 256 random bits. */
@Singleton
final class SignInCodes {
    private final Database database;
    private final CodeRows rows;
    private final People people;

    SignInCodes(Database database, CodeRows rows, People people) {
        this.database = database;
        this.rows = rows;
        this.people = people;
    }

    /** The purpose of a code; it is valid for no other. */
    enum Purpose {
        /** Sent by e-mail. */
        EMAIL(Duration.ofMinutes(15)),
        /** Passed to the final redirect of a federated sign-in, so that no token is in a URL. */
        REDIRECT(Duration.ofMinutes(1)),
        /** Issued by an administrator. */
        ADMINISTRATOR(Duration.ofHours(1));

        /** The purposes that one route accepts. */
        static final Set<Purpose> HANDED_OVER = EnumSet.of(REDIRECT, ADMINISTRATOR);

        private final Duration lifetime;

        Purpose(Duration lifetime) {
            this.lifetime = lifetime;
        }

        Duration lifetime() {
            return lifetime;
        }

        private String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The owner of a redeemed code, and the authentication method. */
    record Redeemed(SignInAccount person, String method) {}

    /**
     * A new code.
     *
     * @param method the authentication method of its redemption
     */
    String issue(Purpose purpose, UUID user, String method) {
        String code = BearerToken.random();
        database.in(Tenant.ALL, () -> {
            rows.deleteEnded();
            rows.insert(
                    Sha256.of(code), purpose.code(), method, user, Instant.now().plus(purpose.lifetime));
        });
        return code;
    }

    /**
     * Redeems a code, which is valid once.
     *
     * @throws ApiException 401 where it is unknown, expired or used
     */
    Redeemed redeem(Set<Purpose> purposes, String code) {
        byte[] hash = Sha256.of(code);
        Optional<CodeRow> found = database.in(Tenant.ALL, () -> {
            Optional<CodeRow> valid =
                    rows.locked(hash, purposes.stream().map(Purpose::code).toList());
            valid.ifPresent(_ -> rows.delete(hash));
            return valid;
        });
        return found.flatMap(row -> people.findAccount(row.userId())
                        .filter(SignInAccount::active)
                        .map(person -> new Redeemed(person, row.method())))
                .orElseThrow(() -> new ApiException(
                        HttpStatus.UNAUTHORIZED, "wrong_code", "The code is invalid, used or expired: start again."));
    }
}
