package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.MissingSecretException;
import dev.parley.channels.contract.Taken;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slack's events, presses and slash commands over HTTP. A request is answered once its event is durable; until then
 * Slack retries.
 *
 * @param handlers makes the handler of a bot
 */
record InboundEvents(Function<ChannelBot, SlackEventHandler> handlers) implements InboundHttp {
    private static final Logger LOG = LoggerFactory.getLogger(InboundEvents.class);
    private static final String FORM = "application/x-www-form-urlencoded";

    @Override
    public String path() {
        return "slack";
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
        SlackEventHandler handler = handlers.apply(bot);
        return request -> isSigned(bot, request) ? receive(handler, request) : unknown();
    }

    private static Answer receive(SlackEventHandler handler, Request request) throws InterruptedException {
        JsonNode payload;
        try {
            payload = SlackRequest.payload(request.body(), isForm(request));
        } catch (IllegalArgumentException e) {
            return new Answer.Body(200); // it would be retried forever
        }
        if (payload.path("type").asText().equals("url_verification")) {
            String challenge = payload.path("challenge").asText();
            return new Answer.Body(
                    200,
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("challenge", challenge)
                            .toString());
        }
        Taken taken = handler.handle(payload); // unreadable payloads are skipped there
        return taken instanceof Taken.NotSafe ? new Answer.Untaken(taken) : new Answer.Body(200);
    }

    private static boolean isForm(Request request) {
        String type = request.header("Content-Type");
        return type != null && type.toLowerCase(Locale.ROOT).startsWith(FORM);
    }

    /** An unusable secret is logged, and no signature is valid with it. */
    private static boolean isSigned(ChannelBot bot, Request request) {
        String signature = request.header(SlackSignature.HEADER);
        String time = request.header(SlackSignature.TIME);
        if (signature == null
                || time == null
                || bot.reference(SlackPlugin.SIGNING_SECRET).isEmpty()) {
            return false;
        }
        try {
            String secret = bot.secret(SlackPlugin.SIGNING_SECRET);
            return SlackSignature.isOf(secret, time, request.body(), signature, Instant.now());
        } catch (MissingSecretException e) {
            LOG.atError()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("Slack event rejected: the signing secret of the bot cannot be used");
            return false;
        }
    }
}
