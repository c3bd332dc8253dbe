package dev.parley.channels.telegram;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.channels.contract.BotDirectory;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.ClientAddress;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Hidden;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Endpoint of Telegram's webhooks. A request is answered once its update is durable; until then Telegram retries. */
@Hidden
@Controller
@Requires(beans = ParleyConfig.class)
final class WebhookController {
    private static final ObjectMapper JSON = JsonMappers.request();
    private static final int MAX_UPDATE = 1 << 20;

    private final BotDirectory bots;
    private final TelegramChannel telegram;
    private final Intake intake;
    private final ClientAddress clients;

    WebhookController(BotDirectory bots, TelegramChannel telegram, Intake intake, ClientAddress clients) {
        this.clients = clients;
        this.bots = bots;
        this.telegram = telegram;
        this.intake = intake;
    }

    /** Handles an update. Without the secret the answer reveals nothing, not even which bots exist. */
    @Public
    @MaxBody(BodySize.WEBHOOK)
    @Post(uri = "/telegram/{name}", consumes = "application/json")
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> update(
            @PathVariable String name,
            @Nullable @Header("X-Telegram-Bot-Api-Secret-Token") String secret,
            @Body byte[] body,
            HttpRequest<?> request)
            throws InterruptedException {
        Optional<BotConfig> bot = bots.find(name).filter(config -> config.webhook() != null);
        if (bot.isEmpty() || secret == null || !telegram.secret().isOf(bot.get(), secret)) {
            return HttpResponse.unauthorized();
        }
        var from = bot.get().webhookFrom();
        if (!from.isEmpty() && from.stream().noneMatch(network -> network.has(clients.of(request)))) {
            return HttpResponse.status(HttpStatus.FORBIDDEN);
        }
        if (body.length > MAX_UPDATE) {
            return HttpResponse.ok(); // longer than any update; it would be retried forever
        }
        try {
            JsonNode update = JSON.readTree(new String(body, StandardCharsets.UTF_8));
            telegram.handler(bot.get(), intake).handle(update);
            return HttpResponse.ok();
        } catch (JsonProcessingException e) {
            return HttpResponse.ok();
        } catch (UnavailableException e) {
            return HttpResponse.status(HttpStatus.SERVICE_UNAVAILABLE).header("Retry-After", "2");
        }
    }
}
