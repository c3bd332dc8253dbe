package dev.parley.channels.webhook;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.Taken;
import dev.parley.platform.json.ExactJson;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inbound requests of webhook bots. A request is answered once its message is durable; callers retry after 503 or no
 * answer.
 */
final class InboundWebhook implements InboundHttp {
    private static final Logger LOG = LoggerFactory.getLogger(InboundWebhook.class);
    private static final ObjectMapper JSON = ExactJson.stored();

    @Override
    public String path() {
        return "hooks";
    }

    @Override
    public List<String> mediaTypes() {
        return List.of("application/json");
    }

    @Override
    public int largestBody() {
        return 16 << 20;
    }

    @Override
    public Answer unknown() {
        return new Answer.Problem(401, "unauthorized", "The signature is missing, wrong or too old.");
    }

    @Override
    public Receiver receiver(ChannelBot bot) {
        return request -> receive(bot, request);
    }

    private Answer receive(ChannelBot bot, Request request) throws InterruptedException {
        if (!isSigned(bot, request)) {
            return unknown();
        }
        try {
            InboundMessageBody body = InboundMessageBody.read(request.body());
            return body.command() == null ? message(bot, body) : command(bot, body, body.command());
        } catch (InvalidRequestException e) {
            return new Answer.Problem(400, e.code(), e.sentence());
        }
    }

    /** An unusable secret is logged, and no signature is valid with it. */
    private static boolean isSigned(ChannelBot bot, Request request) {
        String signature = request.header(WebhookSignature.HEADER);
        try {
            return signature != null && WebhookSignature.isOf(bot.token(), request.body(), signature, Instant.now());
        } catch (IllegalStateException e) {
            LOG.atError()
                    .addKeyValue("webhook", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("webhook message rejected: the secret of the bot cannot be used");
            return false;
        }
    }

    private static Answer message(ChannelBot bot, InboundMessageBody body) throws InterruptedException {
        Taken taken = bot.take(body.message(bot.name()));
        return taken instanceof Taken.Safe safe
                ? body(safe.ended() ? 200 : 202, "turn", String.valueOf(safe.turn()))
                : new Answer.Untaken(taken);
    }

    private static Answer command(ChannelBot bot, InboundMessageBody body, String name) throws InterruptedException {
        Taken taken = bot.command(body.address(bot.name()), body.reference(), body.sender(), body.parsedCommand(name));
        return taken instanceof Taken.Safe ? body(202, "command", name) : new Answer.Untaken(taken);
    }

    private static Answer body(int status, String field, String value) {
        return new Answer.Body(status, JSON.createObjectNode().put(field, value).toString());
    }
}
