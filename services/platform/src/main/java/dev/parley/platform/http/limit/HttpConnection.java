package dev.parley.platform.http.limit;

import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.limit.HttpLimits.Times;
import io.micronaut.http.HttpStatus;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One connection, between the codec and the routes: it refuses a body that is too large before it is read, or as soon
 * as it turns out to be, ends what takes too long, and releases what requests hold when they end.
 *
 * <pre>
 * waiting ──header begins──▶ header ──complete──▶ body ──complete──▶ answering ──answered──▶ waiting
 *    └──────────────── time is up: closed ────────────┘ (408)            │ upgraded: until it closes
 * </pre>
 *
 * <p>All of it runs on the thread of the connection, except {@link #check} and {@link #evict}.
 */
final class HttpConnection extends ChannelDuplexHandler implements Connections.Member {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long NANOS = 1_000_000_000;

    private final HttpGate gate;
    private final Times times;
    private final String address;
    private final boolean shared;

    /** Requests whose response is not complete, the first one is being answered. */
    private final Deque<Exchange> exchanges = new ArrayDeque<>(2);

    private volatile @Nullable ChannelHandlerContext context;
    /** The request whose body is incomplete. */
    private @Nullable Exchange receiving;

    private int unflushed;
    private boolean read;
    private boolean headerBegun;
    private boolean upgraded;
    private boolean closing;
    private boolean waits = true;
    private long since = System.nanoTime();
    private long bodySince;
    private boolean first = true;
    private long unread;
    /** When its time is up, in nanoseconds. */
    private volatile long deadline;

    HttpConnection(HttpGate gate, String address, boolean shared) {
        this.gate = gate;
        this.times = gate.limits().times();
        this.address = address;
        this.shared = shared;
        this.deadline = since + times.first().toNanos();
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public boolean isShared() {
        return shared;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    // ---- from the client

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        read = true;
        if (closing) {
            ReferenceCountUtil.release(message);
            return;
        }
        switch (message) {
            case HttpRequest request -> begin(ctx, request);
            case HttpContent content -> receive(ctx, content);
            default -> ctx.fireChannelRead(message); // frames of a WebSocket
        }
    }

    private void begin(ChannelHandlerContext ctx, HttpRequest request) {
        boolean hasBody = hasBody(request);
        var exchange = new Exchange(request, hasBody ? gate.limit(request) : BodySize.SMALL);
        boolean isComplete = request instanceof LastHttpContent; // it could not be decoded
        exchanges.add(exchange);
        first = false;
        headerBegun = false;
        receiving = isComplete ? null : exchange;
        bodySince = System.nanoTime();
        ApiException fault = hasBody ? fault(exchange) : null;
        if (fault == null) {
            update();
            ctx.fireChannelRead(isComplete ? request : exchange);
        } else {
            refuse(exchange, fault);
        }
    }

    private static boolean hasBody(HttpRequest request) {
        return request.decoderResult().isSuccess()
                && (HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0);
    }

    /** Why the body is not read. Its length is that of its own bytes: compressed bodies are not accepted. */
    private static @Nullable ApiException fault(Exchange exchange) {
        String encoding = exchange.headers().get(HttpHeaderNames.CONTENT_ENCODING, "identity");
        String transfer = exchange.headers().get(HttpHeaderNames.TRANSFER_ENCODING, "chunked");
        if (!encoding.strip().equalsIgnoreCase("identity") || !transfer.strip().equalsIgnoreCase("chunked")) {
            return new ApiException(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "unsupported_encoding",
                    "The body is compressed: send it without Content-Encoding.");
        }
        return HttpUtil.getContentLength(exchange, 0L) > exchange.limit.bytes()
                ? BodyLimits.tooLarge(exchange.limit)
                : null;
    }

    private void receive(ChannelHandlerContext ctx, HttpContent content) {
        Exchange exchange = receiving;
        if (exchange == null) {
            ctx.fireChannelRead(content);
            return;
        }
        exchange.received += content.content().readableBytes();
        ApiException fault = exchange.received > exchange.limit.bytes()
                ? BodyLimits.tooLarge(exchange.limit)
                : gate.chargeMore(exchange);
        if (fault != null) {
            content.release();
            refuse(exchange, fault);
            return;
        }
        if (content instanceof LastHttpContent) {
            receiving = null;
            since = System.nanoTime();
        }
        update();
        ctx.fireChannelRead(content);
    }

    /** Bytes without a message are the beginning of a header. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!read && !headerBegun && receiving == null && !upgraded) {
            headerBegun = true;
            since = System.nanoTime();
            update();
        }
        read = false;
        ctx.fireChannelReadComplete();
        if (closing) {
            ctx.read();
        }
    }

    // ---- to the client

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (closing) {
            ReferenceCountUtil.release(message);
            promise.trySuccess();
            return;
        }
        Exchange exchange = exchanges.peek();
        if (exchange == null || message instanceof HttpResponse response && isInformal(response)) {
            var _ = ctx.write(message, promise);
            return;
        }
        exchange.answered = true;
        if (message instanceof HttpResponse response
                && response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
            upgraded = true;
            receiving = null;
        } else if (message instanceof LastHttpContent && !upgraded) {
            var _ = ctx.write(message, ended(exchange, promise));
            return;
        }
        update();
        var _ = ctx.write(message, promise);
    }

    private static boolean isInformal(HttpResponse response) {
        return response.status().equals(HttpResponseStatus.CONTINUE);
    }

    /** The response is complete; what the request holds is released when it is sent. */
    private ChannelPromise ended(Exchange exchange, ChannelPromise promise) {
        exchanges.poll();
        unflushed++;
        since = System.nanoTime();
        ChannelPromise sent = promise.unvoid();
        sent.addListener(_ -> {
            unflushed--;
            since = System.nanoTime();
            exchange.end();
            update();
        });
        update();
        return sent;
    }

    /** Lets the client read the response before the connection ends with bytes of it unread. */
    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (closing && ctx.channel().isActive()) {
            var _ = ctx.channel().closeFuture().addListener(_ -> promise.trySuccess());
        } else if (receiving != null && receiving.answered && ctx.channel().isActive()) {
            var _ = ctx.channel().closeFuture().addListener(_ -> promise.trySuccess());
            linger(ctx);
        } else {
            var _ = ctx.close(promise);
        }
    }

    /** Answers with a problem if the client expects one now, and closes. */
    private void refuse(Exchange exchange, ApiException fault) {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            return;
        }
        gate.countRefusal(fault.code());
        boolean expected = exchanges.peek() == exchange && !exchange.answered && unflushed == 0;
        closing = true;
        if (expected) {
            var _ = ctx.writeAndFlush(Refusal.of(exchange, fault))
                    .addListener((ChannelFutureListener) _ -> linger(ctx));
        } else {
            linger(ctx);
        }
    }

    private void linger(ChannelHandlerContext ctx) {
        closing = true;
        since = System.nanoTime();
        endAll();
        update();
        if (ctx.channel() instanceof DuplexChannel channel && channel.isActive()) {
            var _ = channel.shutdownOutput();
            ctx.read();
        } else {
            var _ = ctx.close();
        }
    }

    /** The connection has ended: nothing is held any more. */
    void closed() {
        closing = true;
        endAll();
    }

    private void endAll() {
        exchanges.forEach(Exchange::end);
        exchanges.clear();
        receiving = null;
    }

    // ---- time

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        since = System.nanoTime();
        update();
        ctx.fireChannelWritabilityChanged();
    }

    private void update() {
        ChannelHandlerContext ctx = context;
        deadline = deadline(ctx != null && !ctx.channel().isWritable());
        boolean nowWaits = !upgraded && unflushed == 0 && (exchanges.isEmpty() || isUnknown());
        if (nowWaits != waits) {
            waits = nowWaits;
            gate.waits(this, nowWaits);
        }
    }

    /** Whether all that is known of the client is the beginning of a request. */
    private boolean isUnknown() {
        return receiving != null && exchanges.size() == 1 && !receiving.answered && !receiving.isAdmitted();
    }

    private long deadline(boolean isFull) {
        if (closing) {
            return after(since, times.linger());
        }
        if (receiving != null) {
            return receiving.answered ? after(since, times.linger()) : bodyDeadline(receiving);
        }
        if (upgraded || !exchanges.isEmpty() || unflushed > 0) {
            return isFull || unflushed > 0 ? after(since, times.read()) : NEVER;
        }
        return after(since, headerBegun ? times.header() : first ? times.first() : times.idle());
    }

    private long bodyDeadline(Exchange exchange) {
        return after(bodySince, times.body()) + exchange.received * NANOS / times.bodyRate();
    }

    private static long after(long since, Duration time) {
        return since + time.toNanos();
    }

    /** Ends the connection if its time is up; called every second by any thread. */
    void check(long now) {
        ChannelHandlerContext ctx = context;
        if (deadline != NEVER && deadline - now < 0 && ctx != null) {
            ctx.executor().execute(() -> expire(ctx));
        }
    }

    private void expire(ChannelHandlerContext ctx) {
        if (deadline == NEVER || deadline - System.nanoTime() >= 0) {
            return;
        }
        Exchange slow = receiving;
        if (closing || slow == null || slow.answered) {
            if (!closing && hasProgress(ctx)) {
                since = System.nanoTime();
                update();
                return;
            }
            gate.countRefusal(closing ? "closed" : "time");
            closing = true;
            var _ = ctx.close();
        } else {
            refuse(slow, new ApiException(HttpStatus.REQUEST_TIMEOUT, "slow_request", "The body arrives too slowly."));
        }
    }

    /** Whether the client has read some of the response since the last time. */
    private boolean hasProgress(ChannelHandlerContext ctx) {
        ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
        if (buffer == null || buffer.isEmpty()) {
            return false;
        }
        long left = buffer.totalPendingWriteBytes() - buffer.currentProgress();
        boolean moved = left != unread;
        unread = left;
        return moved;
    }

    /** Closes the connection, from any thread. */
    void evict() {
        ChannelHandlerContext ctx = context;
        if (ctx != null) {
            gate.countRefusal("evicted");
            ctx.executor().execute(() -> {
                closing = true;
                var _ = ctx.close();
            });
        }
    }
}
