package dev.parley.channels.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.contract.BotDirectory;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.Secrets;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Hidden;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP endpoint of Slack's events, presses and slash commands. A request is answered once its event is durable; until
 * then Slack retries.
 */
@Hidden
@Controller
@Requires(beans = ParleyConfig.class)
final class SlackController {
    private static final Logger LOG = LoggerFactory.getLogger(SlackController.class);
    private static final int MAX_PAYLOAD = 1 << 20;

    private final BotDirectory bots;
    private final SlackChannel slack;
    private final Intake intake;

    SlackController(BotDirectory bots, SlackChannel slack, Intake intake) {
        this.bots = bots;
        this.slack = slack;
        this.intake = intake;
    }

    /** Handles a payload. Without a valid signature the answer reveals nothing, not even which bots exist. */
    @Public
    @MaxBody(BodySize.WEBHOOK)
    @Post(uri = "/slack/{name}", consumes = MediaType.ALL)
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> event(
            @PathVariable String name,
            @Nullable @Header(SlackSignature.HEADER) String signature,
            @Nullable @Header(SlackSignature.TIME) String time,
            HttpRequest<byte[]> request)
            throws InterruptedException {
        byte[] body = request.getBody().orElseGet(() -> new byte[0]);
        BotConfig bot = bots.find(name)
                .filter(config -> config.kind().equals(SlackChannel.KIND))
                .orElse(null);
        if (bot == null || signature == null || time == null || !isSigned(bot, time, body, signature)) {
            return HttpResponse.unauthorized();
        }
        if (body.length > MAX_PAYLOAD) {
            return HttpResponse.ok(); // longer than any event; it would be retried forever
        }
        return handle(bot, body, isForm(request));
    }

    private HttpResponse<?> handle(BotConfig bot, byte[] body, boolean form) throws InterruptedException {
        try {
            JsonNode payload = SlackRequest.payload(body, form);
            if (payload.path("type").asText().equals("url_verification")) {
                return HttpResponse.ok(
                        Map.of("challenge", payload.path("challenge").asText()));
            }
            slack.handler(bot, intake).handle(payload); // unreadable payloads are skipped there
            return HttpResponse.ok();
        } catch (IllegalArgumentException e) {
            return HttpResponse.ok();
        } catch (UnavailableException e) {
            return HttpResponse.status(HttpStatus.SERVICE_UNAVAILABLE).header("Retry-After", "2");
        }
    }

    private static boolean isForm(HttpRequest<?> request) {
        return request.getContentType()
                .filter(type -> type.matches(MediaType.APPLICATION_FORM_URLENCODED_TYPE))
                .isPresent();
    }

    /** An unusable secret is logged, and no signature is valid with it. */
    private boolean isSigned(BotConfig bot, String time, byte[] body, String signature) {
        try {
            Optional<String> secret = slack.signingSecret(bot);
            return secret.isPresent() && SlackSignature.isOf(secret.get(), time, body, signature, Instant.now());
        } catch (Secrets.MissingException e) {
            LOG.atError()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("Slack event rejected: the signing secret of the bot cannot be used");
            return false;
        }
    }
}
