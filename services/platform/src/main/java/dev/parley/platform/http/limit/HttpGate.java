package dev.parley.platform.http.limit;

import dev.parley.platform.config.LimitsConfig;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.limit.Shares.Outcome;
import dev.parley.platform.http.network.ClientAddress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.TaskScheduler;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place that says what clients of the HTTP server may hold: connections, bytes of bodies, streams; in total and
 * each. It stands before every route.
 */
@Singleton
public final class HttpGate implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
    private static final Logger LOG = LoggerFactory.getLogger(HttpGate.class);
    private static final String NAME = "parley-gate";
    private static final Duration RETRY = Duration.ofSeconds(2);

    /** Sockets beyond the limit of connections: they are refused, or others are being closed for them. */
    private static final int ACCEPTED = 32;

    /** Smaller bodies are bounded by the number of connections. */
    private static final int COUNTED = 64 << 10;

    /** Bytes of a body of unknown length are taken in such pieces. */
    private static final int PIECE = 256 << 10;

    /** All who are not signed in, together. */
    static final String ANYBODY = "anybody";

    private final HttpLimits limits;
    private final Provider<BodyLimits> bodies;
    private final ClientAddress addresses;
    private final MeterRegistry meters;
    private final Connections<HttpConnection> connections;
    private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
    private final Shares bodyBytes;
    private final Shares streams;
    private final Shares hostStreams;

    @Inject
    HttpGate(
            Optional<ParleyConfig> config,
            Optional<HttpLimits> limits,
            Provider<BodyLimits> bodies,
            ClientAddress addresses,
            Optional<MeterRegistry> meters,
            @Named(TaskExecutors.SCHEDULED) TaskScheduler scheduler) {
        this.limits = limits.orElseGet(
                () -> limits(config.map(it -> it.http().limits()).orElse(LimitsConfig.DEFAULT)));
        this.bodies = bodies;
        this.addresses = addresses;
        this.meters = meters.orElseGet(CompositeMeterRegistry::new);
        this.connections = new Connections<>(this.limits.connections(), this.limits.connectionsPerAddress());
        this.bodyBytes = new Shares(this.limits.bodyBytes());
        this.streams = new Shares(this.limits.streams());
        this.hostStreams = new Shares(Long.MAX_VALUE);
        gauge("parley.http.connections", connections::size);
        gauge("parley.http.streams", streams::total);
        gauge("parley.http.body.bytes", bodyBytes::total);
        Duration tick = this.limits.times().tick();
        var _ = scheduler.scheduleWithFixedDelay(tick, tick, this::check);
    }

    private static HttpLimits limits(LimitsConfig config) {
        return HttpLimits.of(config, OpenFiles.current(), Runtime.getRuntime().maxMemory());
    }

    /** What to tell an operator whose processes may open few files. */
    public static Optional<String> filesWarning(LimitsConfig config) {
        return OpenFiles.current().warning(limits(config).connections());
    }

    private void gauge(String name, Supplier<Number> value) {
        Gauge.builder(name, value).register(meters);
    }

    @Override
    public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        NettyServerCustomizer.Registry registry = event.getBean();
        registry.register(new Customizer(null));
        OpenFiles.current().warning(limits.connections()).ifPresent(LOG::warn);
        return registry;
    }

    /** Puts a connection's handler behind its codec. */
    private final class Customizer implements NettyServerCustomizer {
        private final @Nullable Channel channel;

        Customizer(@Nullable Channel channel) {
            this.channel = channel;
        }

        @Override
        public NettyServerCustomizer specializeForChannel(Channel connection, ChannelRole role) {
            if (role == ChannelRole.LISTENER) {
                connection.pipeline().addFirst(NAME, new AcceptPause(limits.connections() + ACCEPTED));
            }
            return role == ChannelRole.CONNECTION ? new Customizer(connection) : this;
        }

        @Override
        public void onInitialPipelineBuilt() {
            if (channel != null) {
                admit(channel);
            }
        }
    }

    private void admit(Channel channel) {
        InetAddress remote = channel.remoteAddress() instanceof InetSocketAddress socket ? socket.getAddress() : null;
        var connection = remote == null
                ? new HttpConnection(this, "", true)
                : new HttpConnection(
                        this, ClientAddress.network(remote), remote.isLoopbackAddress() || addresses.isProxy(remote));
        var admission = connections.open(connection);
        if (!admission.admitted()) {
            countRefusal("connections");
            var _ = channel.close();
            return;
        }
        admission.evicted().ifPresent(HttpConnection::evict);
        open.add(connection);
        var _ = channel.closeFuture().addListener(_ -> {
            open.remove(connection);
            connections.close(connection);
            connection.closed();
        });
        channel.pipeline().addAfter(ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC, NAME, connection);
    }

    private void check() {
        long now = System.nanoTime();
        open.forEach(connection -> connection.check(now));
    }

    HttpLimits limits() {
        return limits;
    }

    /** The class of a request's body; of a small one it does not matter. */
    BodySize limit(HttpRequest request) {
        return !HttpUtil.isTransferEncodingChunked(request)
                        && HttpUtil.getContentLength(request, 0L) <= BodySize.SMALL.bytes()
                ? BodySize.SMALL
                : bodies.get().of(request.method().name(), request.uri());
    }

    void waits(HttpConnection connection, boolean waits) {
        connections.waits(connection, waits);
    }

    /** Counts something that was refused: a code of the API, or what happened to a connection. */
    void countRefusal(String reason) {
        Counter.builder("parley.http.refused")
                .tag("reason", reason)
                .register(meters)
                .increment();
    }

    // ---- bytes

    /**
     * Takes room for a body whose length is known.
     *
     * @param holder the person, or {@link #ANYBODY}
     */
    void charge(Exchange exchange, String holder) {
        exchange.holder = holder;
        long length = HttpUtil.getContentLength(exchange, 0L);
        if (length > COUNTED) {
            ApiException fault = take(exchange, holder, length);
            if (fault != null) {
                countRefusal(fault.code());
                throw fault;
            }
        }
    }

    /** Takes more room for a body of unknown length; the problem if there is none. */
    @Nullable
    ApiException chargeMore(Exchange exchange) {
        if (exchange.received <= exchange.charged + COUNTED || !HttpUtil.isTransferEncodingChunked(exchange)) {
            return null;
        }
        exchange.charged += PIECE;
        return take(exchange, exchange.holder, PIECE);
    }

    private @Nullable ApiException take(Exchange exchange, String holder, long bytes) {
        long each = holder.equals(ANYBODY) ? limits.bodyBytesAnybody() : limits.bodyBytesEach();
        Outcome outcome = bodyBytes.take(holder, bytes, each);
        return switch (outcome) {
            case TAKEN -> {
                exchange.hold(() -> bodyBytes.give(holder, bytes));
                yield null;
            }
            case HOLDER_FULL ->
                new ApiException(
                                HttpStatus.TOO_MANY_REQUESTS,
                                "too_many_bytes",
                                "More than %,d MiB are being sent at a time: send one request after another."
                                        .formatted(each >> 20))
                        .retryAfter(RETRY);
            case ALL_FULL ->
                new ApiException(
                                HttpStatus.SERVICE_UNAVAILABLE,
                                "busy",
                                "The server is receiving as much as it can: try again.")
                        .retryAfter(RETRY);
        };
    }

    // ---- streams

    /**
     * Takes a place among the streams until the request ends.
     *
     * @param isLimited whether the person's limit counts, beside those of the host and the process
     */
    void stream(Exchange exchange, String person, String host, boolean isLimited) {
        int each = isLimited ? limits.streamsPerPerson() : limits.streams();
        Outcome outcome = streams.take(person, 1, each);
        if (outcome == Outcome.TAKEN) {
            exchange.streams = true;
            exchange.hold(() -> streams.give(person, 1));
            if (hostStreams.take(host, 1, limits.streamsPerHost()) == Outcome.TAKEN) {
                exchange.hold(() -> hostStreams.give(host, 1));
                return;
            }
        }
        countRefusal("too_many_streams");
        String detail = outcome == Outcome.HOLDER_FULL && isLimited
                ? "You have %,d streams open, which is the limit: close some, or ask the operator (http.streamsPerPerson)."
                        .formatted(each)
                : "Too many streams are open on this server: try again later.";
        throw new ApiException(HttpStatus.TOO_MANY_REQUESTS, "too_many_streams", detail).retryAfter(RETRY);
    }

    // ---- what is held, for tests

    /** The number of open connections. */
    public int connections() {
        return connections.size();
    }

    /** The number of open streams. */
    public long streams() {
        return streams.total();
    }

    /** Bytes of bodies that are held. */
    public long bodyBytes() {
        return bodyBytes.total();
    }
}
