package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.markup.MarkupPieces;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.Piece;
import dev.parley.platform.collection.BoundedMap;
import java.util.Collections;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drafts: previews of growing answers in private chats, with a button that stops them. A server or a chat without them
 * is remembered, and gets messages that grow by edits.
 *
 * @see <a href="https://core.telegram.org/bots/api#sendmessagedraft">sendMessageDraft</a>
 */
final class Drafts {
    private static final Logger LOG = LoggerFactory.getLogger(Drafts.class);
    private static final int MAX_CHATS = 10_000;
    private static final String REFERENCE = "draft:";

    private final String bot;
    private final BotApi api;
    private final Set<String> chatsWithout =
            Collections.synchronizedSet(Collections.newSetFromMap(new BoundedMap<>(MAX_CHATS)));
    private volatile boolean unknown;

    Drafts(String bot, BotApi api) {
        this.bot = bot;
        this.api = api;
    }

    /** Whether drafts are shown in a private chat, as far as is known. */
    boolean areShown(ConversationAddress address) {
        return !unknown && !chatsWithout.contains(address.chat());
    }

    /** The reference of the preview with this id. */
    static String reference(long draft) {
        return REFERENCE + draft;
    }

    /** The id of the draft of a turn, the same on each instance: positive, of 31 bits. */
    static long id(UUID turn) {
        long hash = turn.getMostSignificantBits() * 31 + turn.getLeastSignificantBits();
        return Math.floorMod(hash, (long) Integer.MAX_VALUE) + 1;
    }

    /** The parameters of a frame. Without words Telegram shows that the bot thinks. */
    static ObjectNode frame(ConversationAddress to, GrowingAnswer answer) {
        ObjectNode params = BotApi.params(to)
                .put("draft_id", id(answer.turn()))
                .put("can_stop", true)
                .put("keep_on_stop", true);
        if (answer.words().isBlank()) {
            return params.put("text", "");
        }
        Piece.Words words = MarkupPieces.draft(answer.words(), TelegramBot.MARKUP);
        return words.markup().isEmpty()
                ? params.put("text", words.plain())
                : params.put("text", words.markup()).put("parse_mode", "HTML");
    }

    /**
     * Shows a frame. One that Telegram cannot show is dropped.
     *
     * @throws BotApiException where the chat is rate limited or closed, or Telegram does not answer
     */
    void show(ObjectNode frame) throws BotApiException, InterruptedException {
        try {
            api.call("sendMessageDraft", frame);
        } catch (BotApiException e) {
            if (e.code() == 404) { // a revoked token is found by other calls
                unknown = true;
                LOG.atInfo().addKeyValue("bot", bot).log("the Bot API server knows no drafts; answers grow by edits");
            } else if (e.says("textdraft_peer_invalid")) {
                chatsWithout.add(frame.path("chat_id").asText());
            } else if (e.code() != 400 || isOfTopic(e)) {
                throw e;
            } else {
                LOG.atDebug()
                        .addKeyValue("bot", bot)
                        .addKeyValue("reason", e.getMessage())
                        .log("frame dropped");
            }
        }
    }

    private static boolean isOfTopic(BotApiException e) {
        return e.says("message thread not found");
    }
}
