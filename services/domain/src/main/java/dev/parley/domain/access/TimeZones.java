package dev.parley.domain.access;

import dev.parley.domain.bank.BankRef;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The time zones of people, in which words such as "yesterday" are meant and times are shown to models. */
@FunctionalInterface
public interface TimeZones {
    /** Zone of people whose zone is unknown. */
    ZoneId UTC = ZoneOffset.UTC;

    /** Knows nobody's zone. */
    TimeZones UNKNOWN = (_, _) -> UTC;

    /**
     * The zone of a user.
     *
     * @param user id of a user of this host; null or unknown for {@link #UTC}
     */
    ZoneId of(UUID host, @Nullable String user);

    /**
     * The zone of who speaks to a bank.
     *
     * @param user the speaker, or null for the person whose bank it is
     */
    default ZoneId of(BankRef bank, @Nullable String user) {
        return of(bank.host(), user == null ? bank.user() : user);
    }
}
