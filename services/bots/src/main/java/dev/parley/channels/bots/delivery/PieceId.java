package dev.parley.channels.bots.delivery;

import dev.parley.domain.Ids;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One message of a reply: the key of the ledger, and as a text the id of its delivery.
 *
 * @param reply the reply, or the turn whose streamed message becomes the reply
 * @param index of the message in the reply; files follow all texts
 */
record PieceId(UUID reply, int index) {
    private static final Pattern TEXT = Pattern.compile("([0-9a-f-]{36})-(file-)?(\\d{1,3})");
    /** First index of files. */
    private static final int FIRST_FILE = 1_000;

    /** A file of a reply. */
    static PieceId file(UUID reply, int number) {
        return new PieceId(reply, FIRST_FILE + number);
    }

    /** The message of a delivery; empty where Parley made no such id. */
    static Optional<PieceId> parse(String delivery) {
        Matcher text = TEXT.matcher(delivery);
        if (!text.matches()) {
            return Optional.empty();
        }
        int number = Integer.parseInt(text.group(3));
        try {
            return Optional.of(
                    new PieceId(Ids.parse(text.group(1)), text.group(2) == null ? number : FIRST_FILE + number));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    boolean isFile() {
        return index >= FIRST_FILE;
    }

    /** The id of its delivery. */
    String delivery() {
        return reply + (!isFile() ? "-" + index : "-file-" + (index - FIRST_FILE));
    }
}
