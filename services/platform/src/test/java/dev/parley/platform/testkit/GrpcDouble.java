package dev.parley.platform.testkit;

import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A gRPC server (grpc-java) that accepts every method and answers with prepared bytes. It records its calls, see
 * {@link #seen}.
 */
public final class GrpcDouble implements AutoCloseable {
    private final Server server;
    private final Answers answers;
    private final List<Seen> seen = new ArrayList<>();
    /** Released when a caller has cancelled. */
    private final CountDownLatch cancelled = new CountDownLatch(1);

    /** The answer to a call: messages, then a status. Without a status the call stays open. */
    public record Reply(List<byte[]> messages, Status... status) {
        /** A message. */
        public static Reply of(byte[] message) {
            return new Reply(List.of(message), Status.OK);
        }

        /** A failure. */
        public static Reply of(Status status) {
            return new Reply(List.of(), status);
        }
    }

    /** Chooses the reply to a call. */
    @FunctionalInterface
    public interface Answers {
        Reply to(Seen call);
    }

    /**
     * A received call.
     *
     * @param method as {@code shop.Orders/Find}
     */
    public record Seen(String method, Map<String, String> metadata, boolean hasDeadline, byte[] message) {}

    /** Starts it on a free port of 127.0.0.1. */
    public GrpcDouble(Answers answers) throws IOException {
        this(answers, NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    /**
     * Starts it with TLS.
     *
     * @param certificate and its key, as PEM
     */
    public GrpcDouble(Answers answers, Path certificate, Path key) throws IOException {
        this(
                answers,
                NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .useTransportSecurity(certificate.toFile(), key.toFile()));
    }

    private GrpcDouble(Answers answers, NettyServerBuilder builder) throws IOException {
        this.answers = answers;
        server = builder.fallbackHandlerRegistry(new Everything()).build().start();
    }

    /** The port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** The received calls, in order. */
    public synchronized List<Seen> seen() {
        return List.copyOf(seen);
    }

    /** Whether a caller cancels within this number of seconds. */
    public boolean isCancelledWithin(int seconds) throws InterruptedException {
        return cancelled.await(seconds, TimeUnit.SECONDS);
    }

    private synchronized void remember(Seen call) {
        seen.add(call);
    }

    private final class Everything extends HandlerRegistry {
        @Override
        public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
            var method = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                    .setFullMethodName(name)
                    .setType(MethodType.UNKNOWN)
                    .build();
            return ServerMethodDefinition.create(method, new Handler());
        }
    }

    private final class Handler implements ServerCallHandler<byte[], byte[]> {
        @Override
        public ServerCall.Listener<byte[]> startCall(ServerCall<byte[], byte[]> call, Metadata headers) {
            call.request(2);
            return new ServerCall.Listener<>() {
                private byte[] message = {};

                @Override
                public void onMessage(byte[] received) {
                    message = received;
                }

                @Override
                public void onHalfClose() {
                    var request = new Seen(
                            call.getMethodDescriptor().getFullMethodName(),
                            texts(headers),
                            io.grpc.Context.current().getDeadline() != null,
                            message);
                    remember(request);
                    Reply reply = answers.to(request);
                    if (!reply.messages().isEmpty()) {
                        call.sendHeaders(new Metadata());
                        reply.messages().forEach(call::sendMessage);
                    }
                    for (Status status : reply.status()) {
                        call.close(status, new Metadata());
                    }
                }

                @Override
                public void onCancel() {
                    cancelled.countDown();
                }
            };
        }
    }

    private static Map<String, String> texts(Metadata headers) {
        var texts = new java.util.TreeMap<String, String>();
        headers.keys().stream().filter(name -> !name.endsWith("-bin")).forEach(name -> {
            String value = headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
            texts.put(name, String.valueOf(value));
        });
        return texts;
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
