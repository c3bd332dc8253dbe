package dev.parley.channels.telegram;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages whose buttons are being pressed: they change into what was decided. */
final class PressedMessages {
    private static final Logger LOG = LoggerFactory.getLogger(PressedMessages.class);
    private static final int MAX_REMEMBERED = 10_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** Time in which a pressed message is changed; later its text is sent as a message. */
    private static final Duration EDIT_PATIENCE = Duration.ofSeconds(5);

    private static final Duration MARGIN = Duration.ofMillis(200);

    private final BotApi api;
    /** The buttons of messages, by the press. */
    private final Map<String, JsonNode> pressed = Collections.synchronizedMap(new BoundedMap<>(MAX_REMEMBERED));

    private volatile boolean disables = true;

    PressedMessages(BotApi api) {
        this.api = api;
    }

    /** Remembers the buttons of the message that was pressed. */
    void remember(ButtonPress press, JsonNode update) {
        pressed.put(press.query(), update.at("/callback_query/message/reply_markup/inline_keyboard"));
    }

    /**
     * The buttons stay and can no longer be pressed; an old server refuses such buttons, which are then removed. While
     * the chat is rate limited, which the frames of its own answer can cause, the change waits some seconds.
     *
     * @return whether it was changed
     */
    boolean replace(ButtonPress press, String text) throws InterruptedException {
        JsonNode buttons = pressed.remove(press.query());
        ObjectNode edit = BotApi.params(new ConversationAddress(
                        press.address().bot(), press.address().chat(), null))
                .put("message_id", Long.parseLong(press.message()))
                .put("text", text);
        if (disables && buttons != null && !buttons.isEmpty()) {
            edit.set("reply_markup", disabled(buttons));
        }
        long deadline = System.nanoTime() + EDIT_PATIENCE.toNanos();
        try {
            edit(edit, deadline);
            return true;
        } catch (BotApiException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("message with buttons could not be updated");
            return e.says("message is not modified") || isWithoutButtons(edit, e, deadline);
        }
    }

    /** The second attempt, where the buttons may be what Telegram refused. */
    private boolean isWithoutButtons(ObjectNode edit, BotApiException refusal, long deadline)
            throws InterruptedException {
        if (refusal.code() != 400 || edit.remove("reply_markup") == null) {
            return false;
        }
        disables &= !refusal.says("button");
        try {
            edit(edit, deadline);
            return true;
        } catch (BotApiException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("message with buttons could not be updated");
            return e.says("message is not modified");
        }
    }

    /** Edits a message; repeated while Telegram does not answer or asks for a wait, until the deadline. */
    private void edit(ObjectNode edit, long deadline) throws BotApiException, InterruptedException {
        while (true) {
            try {
                api.call("editMessageText", edit, TIMEOUT);
                return;
            } catch (BotApiException e) {
                Duration wait = e.retryAfter() != null
                        ? e.retryAfter().plus(MARGIN)
                        : e.code() == BotApiException.NO_ANSWER ? MARGIN : null;
                if (wait == null || System.nanoTime() + wait.toNanos() - deadline > 0) {
                    throw e;
                }
                Thread.sleep(wait);
            }
        }
    }

    private static ObjectNode disabled(JsonNode buttons) {
        ObjectNode markup = BotApi.params();
        ArrayNode rows = markup.putArray("inline_keyboard");
        for (JsonNode row : buttons) {
            ArrayNode shown = rows.addArray();
            for (JsonNode button : row) {
                ObjectNode copy = shown.addObject();
                copy.put("text", button.path("text").asText());
                if (button.has("style")) {
                    copy.set("style", button.get("style"));
                }
                copy.putObject("disabled");
            }
        }
        return markup;
    }
}
