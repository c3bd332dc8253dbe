package dev.parley.platform.http.limit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stops accepting while more sockets are open than connections are admitted: those that must make room are closed a
 * moment later than their successors are accepted, and each has a file until then.
 */
final class AcceptPause extends ChannelInboundHandlerAdapter {
    private final int limit;
    private final AtomicInteger sockets = new AtomicInteger();

    AcceptPause(int limit) {
        this.limit = limit;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Channel accepted) {
            sockets.incrementAndGet();
            accepted.closeFuture().addListener(_ -> {
                if (sockets.decrementAndGet() == limit - 1) {
                    ctx.executor().execute(() -> update(ctx));
                }
            });
            update(ctx);
        }
        ctx.fireChannelRead(message);
    }

    private void update(ChannelHandlerContext ctx) {
        ctx.channel().config().setAutoRead(sockets.get() < limit);
    }
}
