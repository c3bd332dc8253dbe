package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Event.Pressed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers presses and commands of the menu, which Discord takes back after three seconds without a word. What a command says comes as a message, as all that
 * a bot says does; nobody minds where an answer here fails.
 *
 * @see <a href="https://docs.discord.com/developers/interactions/receiving-and-responding">its reference</a>
 */
record Interactions(DiscordApi api, ChannelIds places) {
    private static final Logger LOG = LoggerFactory.getLogger(Interactions.class);
    private static final int SAY = 4;
    private static final int SAY_LATER = 5;
    private static final int CHANGE_LATER = 6;
    /** Whoever gave the command sees it, and nobody else. */
    private static final int ALONE = 64;

    /** A command of the menu has come. */
    void accepted(JsonNode interaction) throws InterruptedException {
        var answer = DiscordApi.json().put("type", SAY_LATER);
        answer.putObject("data").put("flags", ALONE);
        callback(
                interaction.path("id").asText() + "/"
                        + interaction.path("token").asText(),
                answer);
    }

    /** It is carried out: nothing has to be waited for. */
    void done(JsonNode interaction) throws InterruptedException {
        String application = interaction.path("application_id").asText();
        String token = interaction.path("token").asText();
        quietly(() -> api.call(
                "DELETE", "/webhooks/%s/%s/messages/@original".formatted(application, token), null, DiscordApi.SOON));
    }

    /** A press was heard. @param notice what to tell whoever pressed, alone; may be empty */
    void noticed(Pressed pressed, String notice) throws InterruptedException {
        ObjectNode answer = DiscordApi.json().put("type", notice.isEmpty() ? CHANGE_LATER : SAY);
        if (!notice.isEmpty()) {
            Messages.unpinging(answer.putObject("data"))
                    .put("content", DiscordMarkup.plain(notice))
                    .put("flags", ALONE);
        }
        callback(pressed.query(), answer);
    }

    /** Puts a text in place of the message whose button was pressed, and its buttons. @return whether it stands there */
    boolean isReplaced(Pressed pressed, String text) throws InterruptedException {
        ObjectNode edit = Messages.unpinging(DiscordApi.json()).put("content", DiscordMarkup.plain(text));
        edit.putArray("components");
        return quietly(() -> api.call(
                "PATCH",
                "/channels/%s/messages/%s"
                        .formatted(places.channel(pressed.address().chat()), pressed.message()),
                edit,
                DiscordApi.SOON));
    }

    private void callback(String interaction, ObjectNode answer) throws InterruptedException {
        quietly(() -> api.call("POST", "/interactions/" + interaction + "/callback", answer, DiscordApi.SOON));
    }

    private interface Call {
        JsonNode make() throws DiscordException, InterruptedException;
    }

    private static boolean quietly(Call call) throws InterruptedException {
        try {
            call.make();
            return true;
        } catch (DiscordException e) {
            LOG.atDebug().addKeyValue("why", e.getMessage()).log("interaction could not be answered");
            return false;
        }
    }
}
