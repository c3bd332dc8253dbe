package dev.parley.control.people;

import dev.parley.platform.access.Token;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
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
@Requires(property = "parley.role.control", value = "true")
final class OneTimeCodes {
    private final Database database;
    private final CodeRows rows;
    private final People people;

    OneTimeCodes(Database database, CodeRows rows, People people) {
        this.database = database;
        this.rows = rows;
        this.people = people;
    }

    /** What a code is for; one for the one is none for the other. */
    enum Purpose {
        /** Sent by e-mail. */
        EMAIL(Duration.ofMinutes(15)),
        /** Handed over where a sign-in elsewhere ends, so that no token stands in an address. */
        REDIRECT(Duration.ofMinutes(1)),
        /** Handed over by an administrator. */
        ADMINISTRATOR(Duration.ofHours(1));

        /** Those that come in the same place. */
        static final Set<Purpose> HANDED_OVER = EnumSet.of(REDIRECT, ADMINISTRATOR);

        private final Duration life;

        Purpose(Duration life) {
            this.life = life;
        }

        Duration life() {
            return life;
        }

        private String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Who showed a code, and how they had proved who they are. */
    record Shown(Candidate person, String method) {}

    /** Another code. @param method how they have proved, or will have proved, who they are */
    String make(Purpose purpose, UUID user, String method) {
        String code = Token.random();
        database.in(Tenant.ALL, () -> {
            rows.deleteEnded();
            rows.insert(
                    Token.hash(code),
                    purpose.code(),
                    method,
                    user,
                    Instant.now().plus(purpose.life));
        });
        return code;
    }

    /**
     * Whose code this is; it is used up by that.
     *
     * @throws ApiException 401 where it is nobody's, has ended or was used before
     */
    Shown redeem(Set<Purpose> purposes, String code) {
        byte[] hash = Token.hash(code);
        Optional<CodeRow> found = database.in(Tenant.ALL, () -> {
            Optional<CodeRow> one =
                    rows.locked(hash, purposes.stream().map(Purpose::code).toList());
            one.ifPresent(row -> rows.delete(hash));
            return one;
        });
        return found.flatMap(one -> people.candidate(one.userId())
                        .filter(Candidate::active)
                        .map(who -> new Shown(who, one.method())))
                .orElseThrow(() -> new ApiException(
                        HttpStatus.UNAUTHORIZED, "wrong_code", "The code is invalid, used or expired: start again."));
    }
}
