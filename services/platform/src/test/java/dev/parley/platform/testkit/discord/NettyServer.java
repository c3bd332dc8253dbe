package dev.parley.platform.testkit.discord;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** HTTP and WebSockets on one port of 127.0.0.1. */
final class NettyServer implements AutoCloseable {
    private static final int MOST = 32 << 20;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final int port;

    /** A request, with its path and query. */
    record Request(String method, String path, Map<String, String> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** An answer; status 0 closes the connection instead. */
    record Answer(int status, Map<String, String> headers, byte[] body) {}

    /** Answers requests. */
    interface Service {
        Answer answer(Request request);

        /** A client has opened a socket. */
        void opened(Socket socket);

        /** A client has sent a text. */
        void says(Socket socket, String text);
    }

    /** An open socket. */
    record Socket(Channel channel) {
        void send(String text) {
            var _ = channel.writeAndFlush(new TextWebSocketFrame(text));
        }

        void close(int code) {
            var _ = channel.writeAndFlush(new CloseWebSocketFrame(code, "")).addListener(ChannelFutureListener.CLOSE);
        }

        void cut() {
            var _ = channel.close();
        }
    }

    NettyServer(Service service) {
        var bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(MOST))
                                .addLast(new Routes(service));
                    }
                });
        var bound = bootstrap
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
        port = ((InetSocketAddress) bound.localAddress()).getPort();
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        threads.shutdownNow();
    }

    private final class Routes extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final Service service;

        Routes(Service service) {
            this.service = service;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            if ("websocket".equalsIgnoreCase(request.headers().get(HttpHeaderNames.UPGRADE))) {
                context.pipeline()
                        .addLast(new WebSocketServerProtocolHandler("/", null, false, 1 << 20, false, true))
                        .addLast(new Frames(service));
                context.pipeline().remove(this);
                context.fireChannelRead(request.retain());
                return;
            }
            var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
            request.headers().forEach(header -> headers.put(header.getKey(), header.getValue()));
            byte[] body = new byte[request.content().readableBytes()];
            request.content().readBytes(body);
            var received = new Request(request.method().name(), request.uri(), headers, body);
            threads.execute(() -> write(context, service.answer(received)));
        }

        private void write(ChannelHandlerContext context, Answer answer) {
            if (answer.status() == 0) {
                var _ = context.close();
                return;
            }
            var response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    HttpResponseStatus.valueOf(answer.status()),
                    Unpooled.wrappedBuffer(answer.body()));
            answer.headers().forEach((name, value) -> response.headers().set(name, value));
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
            var _ = context.writeAndFlush(response);
        }
    }

    private static final class Frames extends SimpleChannelInboundHandler<WebSocketFrame> {
        private final Service service;

        Frames(Service service) {
            this.service = service;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event instanceof WebSocketServerProtocolHandler.HandshakeComplete) {
                service.opened(new Socket(context.channel()));
            }
            super.userEventTriggered(context, event);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame) {
            if (frame instanceof TextWebSocketFrame text) {
                service.says(new Socket(context.channel()), text.text());
            }
        }
    }
}
