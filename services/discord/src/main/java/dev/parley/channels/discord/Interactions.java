package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.channels.chat.Event.ButtonPress;
import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Responses to commands of the menu, presses and forms, which only their person sees. Discord expires an interaction
 * without a response after three seconds, whatever its chat is waiting for: so commands are deferred at once, the
 * others after a moment in which a form can still be shown. Results of commands are sent as messages; all this is best
 * effort.
 *
 * @see <a href="https://docs.discord.com/developers/interactions/receiving-and-responding">its reference</a>
 */
final class Interactions {
    private static final Logger LOG = LoggerFactory.getLogger(Interactions.class);
    static final int COMMAND = 2;
    static final int COMPONENT = 3;
    static final int MODAL = 5;

    private static final int SAY = 4;
    private static final int SAY_LATER = 5;
    private static final int CHANGE_LATER = 6;
    private static final int SHOW_FORM = 9;
    private static final int EPHEMERAL = 64;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;

    /** Leaves as much for the call. */
    private static final Duration PATIENCE = Duration.ofMillis(1_500);

    private static final Duration LIFE_OF_TOKEN = Duration.ofMinutes(15);
    private static final int MAX_OPEN = 10_000;

    private final DiscordApi api;
    private final ChannelIds channels;
    private final Map<String, Open> open = Collections.synchronizedMap(new BoundedMap<>(MAX_OPEN));

    Interactions(DiscordApi api, ChannelIds channels) {
        this.api = api;
        this.channels = channels;
    }

    /** An interaction came, and gets a response in time. */
    void onArrival(JsonNode interaction) {
        int type = interaction.path("type").asInt();
        if (type != COMMAND && type != COMPONENT && type != MODAL) {
            return;
        }
        var arrived = new Open(interaction);
        if (open.putIfAbsent(id(interaction), arrived) == null) {
            Thread.ofVirtual().name("discord-interaction").start(() -> {
                try {
                    Thread.sleep(type == COMMAND ? Duration.ZERO : PATIENCE);
                    arrived.defer();
                } catch (InterruptedException e) {
                    // closed
                }
            });
        }
    }

    /** The id of an interaction. */
    static String id(JsonNode interaction) {
        return interaction.path("id").asText();
    }

    /** An interaction was handled: a deferred response that says nothing is removed. */
    void onHandled(JsonNode interaction) throws InterruptedException {
        Open handled = open.remove(id(interaction));
        if (handled != null) {
            handled.end();
        }
    }

    /**
     * Tells the person of an interaction something that only they see.
     *
     * @param text made only where it can be shown
     * @return whether it was shown
     */
    boolean tell(String interaction, Supplier<String> text) throws InterruptedException {
        Open told = open.get(interaction);
        return told != null && told.tell(text);
    }

    /**
     * Acknowledges a press.
     *
     * @param notice shown only to the user; may be empty
     */
    void acknowledge(ButtonPress press, String notice) throws InterruptedException {
        Open pressed = open.get(press.query());
        if (pressed != null && notice.isEmpty()) {
            pressed.defer();
        } else if (pressed != null) {
            pressed.tell(() -> notice);
        }
    }

    /**
     * Shows a form, which is possible until the press was acknowledged.
     *
     * @return whether it was shown
     */
    boolean showForm(ButtonPress press, ObjectNode modal) throws InterruptedException {
        Open pressed = open.get(press.query());
        return pressed != null && pressed.showForm(modal);
    }

    /**
     * Replaces the message with the button, and its buttons, with a text. A message of components stays one, and
     * another can become one.
     *
     * @return whether it was replaced
     */
    boolean replaceMessage(ButtonPress press, String text) throws InterruptedException {
        String markup = DiscordMarkup.fromPlain(text);
        return edit(press, DiscordComponents.text(markup)) || edit(press, DiscordMessages.content(markup));
    }

    private boolean edit(ButtonPress press, ObjectNode form) throws InterruptedException {
        return call(() -> api.call(
                "PATCH",
                "/channels/%s/messages/%s"
                        .formatted(channels.channel(press.address().chat()), press.message()),
                form,
                DiscordApi.SHORT_TIMEOUT));
    }

    private static boolean call(DiscordApi.Call call) throws InterruptedException {
        try {
            call.make();
            return true;
        } catch (DiscordException | IllegalStateException e) { // or the token of the bot is missing
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("interaction could not be answered");
            return false;
        }
    }

    /** An interaction, and what was said to it so far. */
    private final class Open {
        private final String id;
        private final String token;
        private final String application;
        private final boolean isCommand;
        private final long until = System.nanoTime() + LIFE_OF_TOKEN.toNanos();
        private boolean hasResponse;
        /** Discord does not know it any more: further calls would count towards a block of this address. */
        private boolean isOver;
        /** Whether the last call was refused for its content, so that another one may be made. */
        private boolean isRefused;
        /** Whether there is a deferred response that has said nothing yet. */
        private boolean isThinking;

        Open(JsonNode interaction) {
            this.id = Interactions.id(interaction);
            this.token = interaction.path("token").asText();
            this.application = interaction.path("application_id").asText();
            this.isCommand = interaction.path("type").asInt() == COMMAND;
        }

        /** The first response; false after another. */
        private boolean respond(int type, Optional<ObjectNode> data) throws InterruptedException {
            if (hasResponse) {
                return false;
            }
            ObjectNode response = DiscordApi.json().put("type", type);
            data.ifPresent(value -> response.set("data", value));
            hasResponse = true;
            boolean isGiven = make("POST", "/interactions/" + id + "/" + token + "/callback", response);
            hasResponse = !isRefused;
            return isGiven;
        }

        /** By its token, which works for 15 minutes. */
        private boolean make(String method, String path, @Nullable ObjectNode body) throws InterruptedException {
            isOver |= System.nanoTime() - until > 0;
            isRefused = false;
            return !isOver
                    && call(() -> {
                        try {
                            return api.call(method, path, body, DiscordApi.SHORT_TIMEOUT);
                        } catch (DiscordException e) {
                            isOver |= e.status() == NOT_FOUND;
                            isRefused = e.status() == BAD_REQUEST;
                            throw e;
                        }
                    });
        }

        synchronized void defer() throws InterruptedException {
            if (!isCommand) {
                respond(CHANGE_LATER, Optional.empty());
            } else if (!hasResponse) {
                isThinking = true;
                respond(SAY_LATER, Optional.of(DiscordApi.json().put("flags", EPHEMERAL)));
            }
        }

        synchronized boolean showForm(ObjectNode modal) throws InterruptedException {
            return respond(SHOW_FORM, Optional.of(modal));
        }

        synchronized boolean tell(Supplier<String> text) throws InterruptedException {
            if (isOver || System.nanoTime() - until > 0) {
                return false;
            }
            ObjectNode said = DiscordMessages.withoutMentions(DiscordApi.json())
                    .put("content", DiscordMarkup.fromPlain(text.get()))
                    .put("flags", EPHEMERAL);
            if (!hasResponse) {
                return respond(SAY, Optional.of(said));
            }
            String webhook = "/webhooks/" + application + "/" + token;
            if (!isThinking) {
                return make("POST", webhook, said);
            }
            said.remove("flags"); // those of the deferred response hold
            boolean isSaid = make("PATCH", webhook + "/messages/@original", said);
            isThinking = !isSaid;
            return isSaid;
        }

        synchronized void end() throws InterruptedException {
            defer();
            if (isThinking) {
                isThinking = false;
                make("DELETE", "/webhooks/" + application + "/" + token + "/messages/@original", null);
            }
        }
    }
}
