package dev.parley.channels.bots.delivery;

import dev.parley.channels.contract.Piece;
import dev.parley.domain.protocol.Choice;
import dev.parley.domain.protocol.Reply;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A question for approval that is too long for messages: all of it is a file, and its buttons follow only where the chat
 * has that file, so that nobody approves what they were not shown.
 */
record LongQuestion(Reply reply) {
    /** Maximum messages of a question; a longer one is a file. */
    private static final int MAX_PIECES = 3;

    /** Whether a reply that would take these messages is one. */
    static boolean is(Reply reply, List<Piece> pieces) {
        return pieces.size() > MAX_PIECES
                && reply.choices().stream().anyMatch(choice -> choice.action().equals(Choice.APPROVAL));
    }

    /** All of the question. */
    Piece.Document file() {
        byte[] bytes = reply.text().getBytes(StandardCharsets.UTF_8);
        return new Piece.Document("question.txt", "text/plain", bytes, Piece.Words.plain(""));
    }

    /** @param isShown whether the chat has the file */
    Piece.Words words(boolean isShown) {
        String heading = reply.text().lines().findFirst().orElse("");
        return isShown
                ? Piece.Words.plain(heading + "\nThe whole call is in the file above.")
                        .with(reply.choices())
                : Piece.Words.plain(heading + "\nThe call is too long to be shown here. Read it in the session, and "
                        + "answer there: in the console or over HTTP.");
    }
}
