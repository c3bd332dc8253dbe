package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Event.ButtonPress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Responses to presses and menu commands, which Discord expires after three seconds. Results of commands are sent as
 * messages; these responses are best effort.
 *
 * @see <a href="https://docs.discord.com/developers/interactions/receiving-and-responding">its reference</a>
 */
record Interactions(DiscordApi api, ChannelIds channels) {
    private static final Logger LOG = LoggerFactory.getLogger(Interactions.class);
    private static final int SAY = 4;
    private static final int SAY_LATER = 5;
    private static final int CHANGE_LATER = 6;
    /** Visible only to the user. */
    private static final int EPHEMERAL = 64;

    /** Id and token of an interaction, by which it is answered. */
    static String reference(JsonNode interaction) {
        return interaction.path("id").asText() + "/" + interaction.path("token").asText();
    }

    /** Acknowledges a menu command. */
    void acknowledgeCommand(JsonNode interaction) throws InterruptedException {
        var answer = DiscordApi.json().put("type", SAY_LATER);
        answer.putObject("data").put("flags", EPHEMERAL);
        callback(reference(interaction), answer);
    }

    /** Removes the acknowledgement of a menu command. */
    void removeAcknowledgement(JsonNode interaction) throws InterruptedException {
        String application = interaction.path("application_id").asText();
        String token = interaction.path("token").asText();
        tryCall(() -> api.call(
                "DELETE",
                "/webhooks/%s/%s/messages/@original".formatted(application, token),
                null,
                DiscordApi.SHORT_TIMEOUT));
    }

    /**
     * Acknowledges a press.
     *
     * @param notice shown only to the user; may be empty
     */
    void acknowledge(ButtonPress press, String notice) throws InterruptedException {
        ObjectNode answer = DiscordApi.json().put("type", notice.isEmpty() ? CHANGE_LATER : SAY);
        if (!notice.isEmpty()) {
            DiscordMessages.withoutMentions(answer.putObject("data"))
                    .put("content", DiscordMarkup.fromPlain(notice))
                    .put("flags", EPHEMERAL);
        }
        callback(press.query(), answer);
    }

    /**
     * Replaces the message with the button, and its buttons, with a text.
     *
     * @return whether it was replaced
     */
    boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
        ObjectNode edit =
                DiscordMessages.withoutMentions(DiscordApi.json()).put("content", DiscordMarkup.fromPlain(text));
        edit.putArray("components");
        return tryCall(() -> api.call(
                "PATCH",
                "/channels/%s/messages/%s"
                        .formatted(channels.channel(press.address().chat()), press.message()),
                edit,
                DiscordApi.SHORT_TIMEOUT));
    }

    private void callback(String interaction, ObjectNode answer) throws InterruptedException {
        tryCall(() -> api.call("POST", "/interactions/" + interaction + "/callback", answer, DiscordApi.SHORT_TIMEOUT));
    }

    private static boolean tryCall(DiscordApi.Call call) throws InterruptedException {
        try {
            call.make();
            return true;
        } catch (DiscordException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("interaction could not be answered");
            return false;
        }
    }
}
