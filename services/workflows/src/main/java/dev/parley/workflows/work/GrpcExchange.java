package dev.parley.workflows.work;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Unary gRPC calls over HTTP/2, restricted to the addresses and keys that {@link Outbound} allows.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md">gRPC over HTTP/2</a>
 */
final class GrpcExchange {
    /** Maximum size of a response in bytes. */
    static final int MAX_BYTES = 1 << 20;

    private static final MediaType GRPC = MediaType.get("application/grpc");
    private static final int MAX_REASON_LENGTH = 2_000;

    private final Outbound outbound;
    private final Outbound plain;
    private final Outbound secure;

    GrpcExchange(Outbound outbound) {
        this.outbound = outbound;
        plain = outbound.speaking(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
        secure = outbound.speaking(List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)); // OkHttp requires HTTP/1.1 in the list
    }

    /**
     * The URL of a method. Definitions cannot choose TLS: a connection is without it only to hosts that the operator
     * allows by name, which are those of the operator's network, and not at port 443.
     *
     * @throws IllegalArgumentException if the host or the port is invalid
     */
    HttpUrl url(WorkRequest call, String host, int port, String service, String method) {
        HttpUrl url = new HttpUrl.Builder()
                .scheme("https")
                .host(host)
                .port(port)
                .addPathSegment(service)
                .addPathSegment(method)
                .build();
        boolean isPlain = port != 443 && outbound.in(CallExecutors.scope(call)).isAllowed(url.host());
        return isPlain ? url.newBuilder().scheme("http").port(port).build() : url;
    }

    /** Sends a message and returns the response. */
    byte[] call(
            WorkRequest call, HttpUrl url, byte[] message, Optional<String> authorization, Cancellation cancellation)
            throws CallException, InterruptedException {
        Request.Builder request = new Request.Builder()
                .url(url)
                .post(new Message(message))
                .header("TE", "trailers")
                .header("User-Agent", "parley")
                .header("Accept-Encoding", "identity")
                .header("grpc-accept-encoding", "identity")
                .header("grpc-timeout", timeout(cancellation.deadline().left()))
                .header("idempotency-key", HttpExchange.key(call.idempotencyKey()));
        authorization.ifPresent(value -> request.header("Authorization", value));
        Outbound sender = url.isHttps() ? secure : plain;
        try (Response response = sender.in(CallExecutors.scope(call))
                .begin(request.build(), cancellation)
                .execute()) {
            return answer(url, response);
        } catch (IOException e) {
            throw CallException.communication(Outbound.describeFailure(e, url, cancellation), e);
        }
    }

    /** The header {@code grpc-timeout}, which has at most eight digits: distant deadlines are in seconds. */
    private static String timeout(Duration remaining) {
        long millis = Math.max(remaining.toMillis(), 1);
        return millis < 100_000_000 ? millis + "m" : Math.min(remaining.toSeconds(), 99_999_999) + "S";
    }

    private static byte[] answer(HttpUrl url, Response response) throws IOException, CallException {
        checkMedia(url, response);
        BufferedSource source = response.body().source();
        Optional<byte[]> message = source.exhausted() ? Optional.empty() : Optional.of(message(url, source));
        if (!source.exhausted()) {
            throw CallException.communication(url.host() + " answers with several messages");
        }
        checkStatus(url, response.headers().get("grpc-status") == null ? response.trailers() : response.headers());
        return message.orElseThrow(
                () -> CallException.communication(url.host() + " answers with the status OK and no message"));
    }

    private static void checkMedia(HttpUrl url, Response response) throws CallException {
        String media = response.header("Content-Type", "");
        if (response.code() != 200) {
            throw CallException.communication(
                    response.code(), url.host() + " answers with HTTP " + response.code() + ", not as gRPC does");
        }
        if (media == null || !media.toLowerCase(Locale.ROOT).startsWith("application/grpc")) {
            throw CallException.communication(url.host() + " does not answer as gRPC does");
        }
    }

    private static void checkStatus(HttpUrl url, Headers end) throws CallException {
        String number = end.get("grpc-status");
        GrpcStatus status = number == null ? GrpcStatus.UNKNOWN : GrpcStatus.of(number);
        if (status != GrpcStatus.OK) {
            throw CallException.communication(
                    status.http(),
                    url.encodedPath().substring(1) + " is answered with " + status + reason(end.get("grpc-message")));
        }
    }

    /** A message frame: a byte for compression, four for the length, then the message. */
    private static byte[] message(HttpUrl url, BufferedSource source) throws IOException, CallException {
        if (source.readByte() != 0) {
            throw CallException.communication(
                    url.host() + " answers with a compressed message, which was not requested");
        }
        long length = Integer.toUnsignedLong(source.readInt());
        if (length > MAX_BYTES) {
            throw CallException.communication("the answer of " + url.host() + " is longer than 1 MiB");
        }
        return source.readByteArray(length);
    }

    /** The percent-decoded error message of the server. */
    private static String reason(@Nullable String encoded) {
        if (encoded == null || encoded.isBlank()) {
            return "";
        }
        String cut = encoded.substring(0, Math.min(encoded.length(), MAX_REASON_LENGTH));
        try {
            return ": " + URLDecoder.decode(cut.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // cut in the middle, or never encoded
            return ": " + cut;
        }
    }

    /** Request body with one message frame. */
    private static final class Message extends RequestBody {
        private final byte[] bytes;

        Message(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public MediaType contentType() {
            return GRPC;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            sink.writeByte(0).writeInt(bytes.length).write(bytes);
        }
    }
}
