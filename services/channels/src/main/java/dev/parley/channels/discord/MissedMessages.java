package dev.parley.channels.discord;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks Discord for what was said while nobody listened. */
final class MissedMessages {
    private static final Logger LOG = LoggerFactory.getLogger(MissedMessages.class);
    private static final int PAGE = 100;
    /** Messages of a chat. */
    private static final int MOST = 2_000;

    private static final int MOST_GUILDS = 200;
    private static final long LONGEST = Duration.ofMinutes(1).toMillis();

    private final String bot;
    private final DiscordApi api;
    private final ChannelIds places;

    MissedMessages(String bot, DiscordApi api, ChannelIds places) {
        this.bot = bot;
        this.api = api;
        this.places = places;
    }

    /** The messages of a chat after this one, in order; none where the bot may not read there any more. */
    List<JsonNode> messages(String chat, long after) throws InterruptedException {
        var found = new ArrayList<JsonNode>();
        String channel = patiently(() -> DiscordApi.json().put("id", places.channel(chat)))
                .path("id")
                .asText();
        if (channel.isEmpty()) {
            return found;
        }
        long from = after;
        while (found.size() < MOST) {
            long start = from;
            JsonNode page =
                    patiently(() -> api.get("/channels/%s/messages?limit=%d&after=%d".formatted(channel, PAGE, start)));
            var messages = new ArrayList<JsonNode>();
            page.forEach(message -> {
                if (DiscordEvents.isId(message.path("id"))) {
                    messages.add(message);
                }
            });
            messages.sort(Comparator.comparingLong(message -> message.path("id").asLong()));
            found.addAll(messages);
            if (page.size() < PAGE || messages.isEmpty()) {
                return found;
            }
            from = messages.getLast().path("id").asLong();
        }
        LOG.atWarn().addKeyValue("bot", bot).addKeyValue("chat", chat).log("more was said than is looked through");
        return found;
    }

    /** Channels and threads of guilds, with the last message of each, as far as the bot sees them. */
    Map<String, Long> channels() throws InterruptedException {
        Map<String, Long> last = new HashMap<>();
        JsonNode guilds = patiently(() -> api.get("/users/@me/guilds?limit=" + MOST_GUILDS));
        for (JsonNode guild : guilds) {
            String id = guild.path("id").asText();
            add(last, patiently(() -> api.get("/guilds/" + id + "/channels")));
            add(
                    last,
                    patiently(() -> api.get("/guilds/" + id + "/threads/active"))
                            .path("threads"));
        }
        return last;
    }

    private static void add(Map<String, Long> last, JsonNode channels) {
        for (JsonNode channel : channels) {
            if (DiscordEvents.isId(channel.path("last_message_id"))) {
                last.put(
                        channel.path("id").asText(),
                        channel.path("last_message_id").asLong());
            }
        }
    }

    private interface Call {
        JsonNode make() throws DiscordException, InterruptedException;
    }

    /** Makes a call until it is answered; nothing where Discord refuses it. */
    private JsonNode patiently(Call call) throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            try {
                return call.make();
            } catch (DiscordException e) {
                if (!e.passes() && e.status() != 401) {
                    LOG.atInfo()
                            .addKeyValue("bot", bot)
                            .addKeyValue("why", e.getMessage())
                            .log("what was missed cannot be asked for there");
                    return DiscordApi.json();
                }
                Duration wanted = e.retryAfter();
                long wait = Math.min(LONGEST, 500L << Math.min(attempt, 7));
                TimeUnit.MILLISECONDS.sleep(wanted == null ? wait : wanted.toMillis() + 50);
            }
        }
    }
}
