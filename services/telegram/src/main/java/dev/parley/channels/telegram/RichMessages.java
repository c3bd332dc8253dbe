package dev.parley.channels.telegram;

import dev.parley.channels.contract.Piece;
import dev.parley.platform.collection.BoundedMap;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rich messages of a bot, and what is known of their refusals: a refused one is sent as text. */
final class RichMessages {
    private static final Logger LOG = LoggerFactory.getLogger(RichMessages.class);
    private static final int MAX_REFUSED = 1_000;

    private final String bot;
    private final Set<String> refused =
            Collections.synchronizedSet(Collections.newSetFromMap(new BoundedMap<>(MAX_REFUSED)));
    private volatile boolean unknown;

    RichMessages(String bot) {
        this.bot = bot;
    }

    /** The rich message of an answer, see {@link RichMarkup#of}; empty where Telegram refused it. */
    Optional<Piece.Words> of(String text, List<Piece> pieces) {
        return unknown ? Optional.empty() : RichMarkup.of(text, pieces).filter(words -> !refused.contains(key(words)));
    }

    private static String key(Piece.Words words) {
        return words.markup().length() + " " + words.markup().hashCode();
    }

    /** Telegram refused a rich message; an old server ignores it, and misses the text. */
    void refuse(Piece.Words words, String reason) {
        refused.add(key(words));
        unknown |= reason.contains("message text is empty") || reason.startsWith("404");
        LOG.atWarn().addKeyValue("bot", bot).addKeyValue("reason", reason).log("rich message refused; sending text");
    }
}
