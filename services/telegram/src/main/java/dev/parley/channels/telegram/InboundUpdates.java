package dev.parley.channels.telegram;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.ConfiguredBot;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.Taken;
import dev.parley.platform.json.ExactJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/**
 * Updates that Telegram posts to bots with a webhook. A request is answered once its update is durable; until then
 * Telegram retries.
 *
 * @param handlers makes the handler of a bot
 */
record InboundUpdates(Function<ChannelBot, UpdateHandler> handlers) implements InboundHttp {
    private static final ObjectMapper JSON = ExactJson.request();
    private static final String SECRET = "X-Telegram-Bot-Api-Secret-Token";
    private static final String PATH = "telegram";

    /** The URL of the webhook of a bot, which has one. */
    static String url(ConfiguredBot bot) {
        return bot.publicUrl().orElseThrow() + "/" + PATH + "/" + bot.name();
    }

    @Override
    public String path() {
        return PATH;
    }

    @Override
    public List<String> mediaTypes() {
        return List.of("application/json");
    }

    @Override
    public int largestBody() {
        return 1 << 20;
    }

    /** It reveals nothing, not even which bots exist. */
    @Override
    public Answer unknown() {
        return new Answer.Body(401);
    }

    @Override
    public Receiver receiver(ChannelBot bot) {
        UpdateHandler handler = handlers.apply(bot);
        return request -> receive(bot, handler, request);
    }

    private Answer receive(ChannelBot bot, UpdateHandler handler, Request request) throws InterruptedException {
        String secret = request.header(SECRET);
        if (bot.publicUrl().isEmpty() || secret == null || !WebhookSecrets.isOf(bot, secret)) {
            return unknown();
        }
        if (!bot.accepts(request.client())) {
            return new Answer.Body(403);
        }
        try {
            Taken taken = handler.handle(List.of(JSON.readTree(new String(request.body(), StandardCharsets.UTF_8))));
            return taken instanceof Taken.NotSafe ? new Answer.Untaken(taken) : new Answer.Body(200);
        } catch (JsonProcessingException e) {
            return new Answer.Body(200); // it would be retried forever
        }
    }
}
