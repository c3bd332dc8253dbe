package dev.parley.channels.plugin;

import dev.parley.channels.contract.BotDirectory;
import dev.parley.channels.contract.InboundHttp;
import dev.parley.channels.contract.InboundHttp.Answer;
import dev.parley.channels.contract.Intake;
import dev.parley.channels.contract.Refusals;
import dev.parley.channels.contract.Taken;
import dev.parley.channels.plugin.ChannelKinds.Reachable;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Public;
import dev.parley.platform.http.limit.BodySize;
import dev.parley.platform.http.limit.MaxBody;
import dev.parley.platform.http.network.ClientAddress;
import io.micronaut.context.annotation.Executable;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.convert.value.ConvertibleMultiValues;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands the requests of other sides over to their channels, on every instance. */
@Singleton
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
class InboundController {
    private static final Logger LOG = LoggerFactory.getLogger(InboundController.class);

    private final Map<String, Reachable> channels = new HashMap<>();
    private final ReceiverCache receivers = new ReceiverCache();
    private final BotDirectory bots;
    private final Intake intake;
    private final ClientAddress clients;

    InboundController(ChannelKinds kinds, BotDirectory bots, Intake intake, ClientAddress clients) {
        kinds.reachable().forEach(channel -> channels.put("/" + channel.path(), channel));
        this.bots = bots;
        this.intake = intake;
        this.clients = clients;
    }

    /** An event. */
    @Public
    @MaxBody(BodySize.WEBHOOK)
    @Executable
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> receiveEvent(@PathVariable String name, HttpRequest<byte[]> request) throws InterruptedException {
        return receive(name, request);
    }

    /** Several events in one request. */
    @Public
    @MaxBody(BodySize.DEFINITION)
    @Executable
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> receiveEvents(@PathVariable String name, HttpRequest<byte[]> request) throws InterruptedException {
        return receive(name, request);
    }

    /** A message with files. */
    @Public
    @MaxBody(BodySize.FILES)
    @Executable
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> receiveFiles(@PathVariable String name, HttpRequest<byte[]> request) throws InterruptedException {
        return receive(name, request);
    }

    /** The other side verifies the address. */
    @Public
    @Executable
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> verify(@PathVariable String name, HttpRequest<?> request) throws InterruptedException {
        Map<String, String> query = first(request.getParameters());
        return response(answer(name, channel(request), receiver -> receiver.verify(query)));
    }

    private Reachable channel(HttpRequest<?> request) {
        String path = request.getPath();
        Reachable channel = channels.get(path.substring(0, path.lastIndexOf('/')));
        if (channel == null) {
            throw new ApiException(HttpStatus.NOT_FOUND, "not_found", "There is no such channel.");
        }
        return channel;
    }

    private HttpResponse<?> receive(String name, HttpRequest<byte[]> request) throws InterruptedException {
        Reachable channel = channel(request);
        byte[] body = request.getBody().orElseGet(() -> new byte[0]);
        int largest = channel.http().largestBody();
        if (body.length > largest) {
            throw ApiException.tooLarge("The body of this request has at most %,d bytes.".formatted(largest));
        }
        var received = new InboundHttp.Request(
                lowerCase(first(request.getHeaders())),
                body,
                clients.of(request).getHostAddress());
        return response(answer(name, channel, receiver -> receiver.receive(received)));
    }

    private interface Question {
        Answer ask(InboundHttp.Receiver receiver) throws InterruptedException;
    }

    private Answer answer(String name, Reachable channel, Question question) throws InterruptedException {
        InboundHttp http = channel.http();
        try {
            BotConfig bot = bots.find(name)
                    .filter(config -> config.kind().equals(channel.kind()))
                    .orElse(null);
            return bot == null
                    ? http.unknown()
                    : question.ask(receivers.get(
                            bot, () -> http.receiver(channel.channel().bots().bot(bot, intake))));
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            LOG.atError()
                    .addKeyValue("channel", channel.kind())
                    .addKeyValue("bot", name)
                    .setCause(e)
                    .log("channel fault");
            return new Answer.Untaken(new Taken.NotSafe("a fault of the channel"));
        }
    }

    /** The first value of each name. */
    private static Map<String, String> first(ConvertibleMultiValues<String> values) {
        var first = new HashMap<String, String>();
        values.forEach((name, all) -> all.stream().limit(1).forEach(value -> first.putIfAbsent(name, value)));
        return first;
    }

    private static Map<String, String> lowerCase(Map<String, String> headers) {
        var lower = new HashMap<String, String>();
        headers.forEach((name, value) -> lower.putIfAbsent(name.toLowerCase(Locale.ROOT), value));
        return lower;
    }

    private static HttpResponse<?> response(Answer answer) {
        return switch (answer) {
            case Answer.Body(int status, String json) -> {
                MutableHttpResponse<Object> response = HttpResponse.status(HttpStatus.valueOf(status));
                yield json.isEmpty()
                        ? response
                        : response.contentType(MediaType.APPLICATION_JSON_TYPE).body(json);
            }
            case Answer.Text(String text) -> HttpResponse.ok(text).contentType(MediaType.TEXT_PLAIN_TYPE);
            case Answer.Problem(int status, String code, String message) ->
                throw new ApiException(HttpStatus.valueOf(status), code, message);
            case Answer.Untaken(Taken taken) -> throw Refusals.problem(taken);
        };
    }
}
