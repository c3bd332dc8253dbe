package dev.parley.channels.teams;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.Taken;
import dev.parley.channels.teams.ActivityTokens.RefusedException;
import dev.parley.channels.teams.TeamsEventHandler.Pressed;
import dev.parley.platform.json.ExactJson;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Teams' activities over HTTP. A request is answered once its activity is durable; until then Teams brings it again. A
 * press is answered within five seconds, because Teams shows an error soon after.
 *
 * @param receivers makes the parts of a bot that receive
 */
record InboundActivities(Function<ChannelBot, Parts> receivers) implements InboundHttp {
    private static final Logger LOG = LoggerFactory.getLogger(InboundActivities.class);
    private static final ObjectMapper JSON = ExactJson.request();
    private static final Duration PRESS_TIMEOUT = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final int AWAY = 503;

    /** What receives the activities of a bot. */
    record Parts(ActivityTokens tokens, TeamsEventHandler handler) {}

    @Override
    public String path() {
        return "teams";
    }

    @Override
    public int largestBody() {
        return 1 << 20;
    }

    /** It reveals nothing, not even which bots exist. */
    @Override
    public Answer unknown() {
        return new Answer.Body(403);
    }

    @Override
    public Receiver receiver(ChannelBot bot) {
        Parts parts = receivers.apply(bot);
        return request -> receive(bot, parts, request);
    }

    private Answer receive(ChannelBot bot, Parts parts, Request request) throws InterruptedException {
        try {
            JsonNode activity = JSON.readTree(request.body());
            if (activity == null || !activity.isObject()) {
                return unknown();
            }
            parts.tokens().verify(request.header("Authorization"), activity);
            return activity.path("type").asText("").equals("invoke")
                    ? invoke(parts.handler(), activity)
                    : message(parts.handler(), activity);
        } catch (JsonProcessingException e) {
            return unknown();
        } catch (RefusedException e) {
            LOG.atDebug()
                    .addKeyValue("bot", bot.name())
                    .addKeyValue("reason", e.getMessage())
                    .log("activity rejected");
            return unknown();
        } catch (TeamsApiException | IOException e) {
            return new Answer.Untaken(new Taken.NotSafe("the keys of Microsoft are unknown: " + e.getMessage()));
        }
    }

    private static Answer message(TeamsEventHandler handler, JsonNode activity) throws InterruptedException {
        Taken taken = handler.handle(activity); // unreadable activities are skipped there
        return taken instanceof Taken.NotSafe ? new Answer.Untaken(taken) : new Answer.Body(OK);
    }

    /** Other requests than presses, such as opinions, have an answer without content. */
    private static Answer invoke(TeamsEventHandler handler, JsonNode activity) throws InterruptedException {
        if (!activity.path("name").asText("").equals("adaptiveCard/action")) {
            Taken taken = handler.handle(activity);
            return taken instanceof Taken.NotSafe ? new Answer.Untaken(taken) : new Answer.Body(OK, "{}");
        }
        var pressed = new CompletableFuture<Pressed>();
        Thread.ofVirtual().name("teams-press").start(() -> {
            try {
                pressed.complete(handler.press(activity));
            } catch (InterruptedException | RuntimeException e) {
                pressed.completeExceptionally(e);
            }
        });
        try {
            return answer(pressed.get(PRESS_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return error("It takes longer than usual. If the card does not change, please try again.");
        } catch (ExecutionException e) {
            LOG.atError().setCause(e.getCause()).log("press skipped");
            return error("It did not work.");
        }
    }

    private static Answer answer(Pressed pressed) {
        if (pressed.taken() instanceof Taken.NotSafe) {
            return error("It does not work now. Please try again.");
        }
        ObjectNode card = pressed.shown().card();
        return card == null
                ? result(
                        "application/vnd.microsoft.activity.message",
                        TextNode.valueOf(pressed.shown().notice()))
                : result("application/vnd.microsoft.card.adaptive", card);
    }

    private static Answer error(String message) {
        ObjectNode body = TeamsApi.object().put("statusCode", AWAY).put("type", "application/vnd.microsoft.error");
        body.putObject("value").put("code", "ServiceUnavailable").put("message", message);
        return new Answer.Body(OK, body.toString());
    }

    private static Answer result(String type, JsonNode value) {
        ObjectNode body = TeamsApi.object().put("statusCode", OK).put("type", type);
        body.set("value", value);
        return new Answer.Body(OK, body.toString());
    }
}
