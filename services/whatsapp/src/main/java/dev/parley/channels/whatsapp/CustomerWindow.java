package dev.parley.channels.whatsapp;

import dev.parley.channels.chat.SeenMessages;
import dev.parley.channels.contract.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The last message of each person: for 24 hours after it the bot may answer freely, and it is the one that is marked as
 * read. All instances share it.
 */
record CustomerWindow(SeenMessages seen) {
    private static final Duration LENGTH = Duration.ofHours(24);
    private static final Pattern STORED = Pattern.compile("(\\d{1,12})(?::(.+))?");

    /**
     * A person's last message.
     *
     * @param id null where it is too long to be stored
     */
    record Last(Instant at, @Nullable String id) {
        /** Whether only templates may be sent now. */
        boolean isClosed(Instant now) {
            return Duration.between(at, now).compareTo(LENGTH) >= 0;
        }
    }

    /**
     * Stores a message, unless a newer one is stored.
     *
     * @param seconds time of sending, since 1970
     * @throws IllegalStateException while the database does not answer
     */
    void onMessage(String chat, long seconds, String id) {
        if (last(chat).map(last -> last.at().getEpochSecond() < seconds).orElse(true)) {
            String whole = seconds + ":" + id;
            seen.record(chat, InboundMessage.REFERENCE.matcher(whole).matches() ? whole : Long.toString(seconds));
        }
    }

    /** The last message of a person; empty where none is known, as after a new user id. */
    Optional<Last> last(String chat) {
        return seen.last(chat).flatMap(CustomerWindow::parse);
    }

    private static Optional<Last> parse(String stored) {
        Matcher parts = STORED.matcher(stored);
        return parts.matches()
                ? Optional.of(new Last(Instant.ofEpochSecond(Long.parseLong(parts.group(1))), parts.group(2)))
                : Optional.empty();
    }
}
