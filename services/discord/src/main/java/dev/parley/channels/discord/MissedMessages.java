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

/** Fetches messages that were sent while the bot was offline. */
record MissedMessages(String bot, DiscordApi api, ChannelIds channelIds) {
    private static final Logger LOG = LoggerFactory.getLogger(MissedMessages.class);
    private static final int PAGE = 100;
    /** Per chat. */
    private static final int MAX_MESSAGES = 2_000;

    private static final int MAX_GUILDS = 200;
    private static final long MAX_BACKOFF_MILLIS = Duration.ofMinutes(1).toMillis();

    /** The messages of a chat after this one, in order; empty where the bot no longer has access. */
    List<JsonNode> messages(String chat, long after) throws InterruptedException {
        var found = new ArrayList<JsonNode>();
        String channel = channel(chat);
        if (channel.isEmpty()) {
            return found;
        }
        long from = after;
        while (found.size() < MAX_MESSAGES) {
            List<JsonNode> page = page(channel, from);
            page.stream()
                    .filter(message -> DiscordEvents.isId(message.path("id")))
                    .sorted(Comparator.comparingLong(MissedMessages::id))
                    .forEach(found::add);
            if (page.size() < PAGE || found.isEmpty() || id(found.getLast()) <= from) {
                return found;
            }
            from = id(found.getLast());
        }
        LOG.atWarn().addKeyValue("bot", bot).addKeyValue("chat", chat).log("missed-message backfill truncated");
        return found;
    }

    /** The channel of a chat; empty where the bot no longer has access. */
    private String channel(String chat) throws InterruptedException {
        return retry(() -> DiscordApi.json().put("id", channelIds.channel(chat)))
                .path("id")
                .asText();
    }

    private List<JsonNode> page(String channel, long after) throws InterruptedException {
        var page = new ArrayList<JsonNode>();
        retry(() -> api.get("/channels/%s/messages?limit=%d&after=%d".formatted(channel, PAGE, after)))
                .forEach(page::add);
        return page;
    }

    private static long id(JsonNode message) {
        return message.path("id").asLong();
    }

    /** Channels and threads of guilds that the bot can see, with their last message. */
    Map<String, Long> channels() throws InterruptedException {
        Map<String, Long> last = new HashMap<>();
        JsonNode guilds = retry(() -> api.get("/users/@me/guilds?limit=" + MAX_GUILDS));
        for (JsonNode guild : guilds) {
            String id = guild.path("id").asText();
            add(last, retry(() -> api.get("/guilds/" + id + "/channels")));
            add(last, retry(() -> api.get("/guilds/" + id + "/threads/active")).path("threads"));
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

    /** Retries a call until it is answered; an empty object where Discord refuses it. */
    private JsonNode retry(DiscordApi.Call call) throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            try {
                return call.make();
            } catch (DiscordException e) {
                if (!e.isTransient() && e.status() != 401) {
                    LOG.atInfo()
                            .addKeyValue("bot", bot)
                            .addKeyValue("reason", e.getMessage())
                            .log("missed messages cannot be fetched: no access to channel");
                    return DiscordApi.json();
                }
                Duration retryAfter = e.retryAfter();
                long wait = Math.min(MAX_BACKOFF_MILLIS, 500L << Math.min(attempt, 7));
                TimeUnit.MILLISECONDS.sleep(retryAfter == null ? wait : retryAfter.toMillis() + 50);
            }
        }
    }
}
