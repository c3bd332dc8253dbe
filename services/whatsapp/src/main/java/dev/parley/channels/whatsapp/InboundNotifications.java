package dev.parley.channels.whatsapp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.MissingSecretException;
import dev.parley.channels.contract.Taken;
import dev.parley.platform.json.ExactJson;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** WhatsApp's webhooks. One is answered once all that it says is durable; until then Meta sends it again, for days. */
final class InboundNotifications implements InboundHttp {
    private static final Logger LOG = LoggerFactory.getLogger(InboundNotifications.class);
    private static final Pattern CHALLENGE = Pattern.compile("[\\w.~-]{1,200}");
    private static final ObjectMapper JSON = ExactJson.request();

    @Override
    public String path() {
        return "whatsapp";
    }

    /** Meta sends up to 3 MB. */
    @Override
    public int largestBody() {
        return 3 << 20;
    }

    /** It reveals nothing, not even which bots exist. */
    @Override
    public Answer unknown() {
        return new Answer.Body(401);
    }

    @Override
    public boolean isVerified() {
        return true;
    }

    @Override
    public Receiver receiver(ChannelBot bot) {
        var handler = new NotificationHandler(bot, new WhatsAppApi(bot));
        return new Receiver() {
            @Override
            public Answer receive(Request request) throws InterruptedException {
                return isSigned(bot, request) ? taken(handler, request) : unknown();
            }

            @Override
            public Answer verify(Map<String, String> query) {
                String challenge = query.getOrDefault("hub.challenge", "");
                boolean isValid = query.getOrDefault("hub.mode", "").equals("subscribe")
                        && CHALLENGE.matcher(challenge).matches()
                        && hasSecret(
                                bot,
                                WhatsAppPlugin.VERIFY_TOKEN,
                                secret -> WhatsAppSignature.isSame(secret, query.getOrDefault("hub.verify_token", "")));
                return isValid ? new Answer.Text(challenge) : unknown();
            }
        };
    }

    private static Answer taken(NotificationHandler handler, Request request) throws InterruptedException {
        JsonNode payload;
        try {
            payload = JSON.readTree(request.body());
        } catch (IOException e) {
            return new Answer.Body(200); // it would be sent again for days
        }
        Taken taken = handler.handle(payload == null ? JSON.missingNode() : payload);
        return taken instanceof Taken.NotSafe ? new Answer.Untaken(taken) : new Answer.Body(200);
    }

    private static boolean isSigned(ChannelBot bot, Request request) {
        String signature = request.header(WhatsAppSignature.HEADER);
        return signature != null
                && hasSecret(
                        bot,
                        WhatsAppPlugin.APP_SECRET,
                        secret -> WhatsAppSignature.isOf(secret, request.body(), signature));
    }

    private interface SecretTest {
        boolean accepts(String secret);
    }

    /** An unusable secret is logged, and nothing is valid with it. */
    private static boolean hasSecret(ChannelBot bot, String name, SecretTest test) {
        if (bot.reference(name).isEmpty()) {
            return false;
        }
        try {
            return test.accepts(bot.secret(name));
        } catch (MissingSecretException e) {
            LOG.atError()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("WhatsApp webhook rejected: a secret of the bot cannot be used");
            return false;
        }
    }
}
