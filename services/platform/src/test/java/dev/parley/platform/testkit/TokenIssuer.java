package dev.parley.platform.testkit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A token issuer for an API, with metadata and keys that can be rotated; counts how often the keys are fetched. */
public final class TokenIssuer implements AutoCloseable {
    /** The audience of its tokens. */
    public static final String AUDIENCE = "https://parley.example.com";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger fetched = new AtomicInteger();
    private volatile List<RSAKey> keys = List.of(key("one"));
    private volatile boolean down;
    private volatile @Nullable String keysAt;
    private volatile @Nullable String answer;

    public TokenIssuer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** A new key. */
    public static RSAKey key(String id) {
        try {
            return new RSAKeyGenerator(2_048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    /** Its URL, which is also its issuer name. */
    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** The key that it signs with. */
    public RSAKey key() {
        return keys.getFirst();
    }

    /** Replaces its keys by this one. */
    public void rotates(RSAKey next) {
        keys = List.of(next);
    }

    /** Sets whether it answers every request with an error. */
    public void isDown(boolean now) {
        down = now;
    }

    /** Its metadata names this address of its keys from now on. */
    public void keysAt(String url) {
        keysAt = url;
    }

    /** Answers with this text in place of its keys. */
    public void answersKeysWith(String text) {
        answer = text;
    }

    /** How often its keys were fetched. */
    public int fetched() {
        return fetched.get();
    }

    /** Claims of a valid token; tests change them for invalid ones. */
    public JWTClaimsSet.Builder claims(String subject) {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(url())
                .subject(subject)
                .audience(List.of("https://other.example.com", AUDIENCE))
                .claim("azp", AUDIENCE)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)));
    }

    /** A valid token. */
    public String token(String subject) {
        return signed(claims(subject).build(), key());
    }

    /** A token with these claims, signed with a key. */
    public static String signed(JWTClaimsSet claims, RSAKey key) {
        return signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .type(new com.nimbusds.jose.JOSEObjectType("at+jwt"))
                        .keyID(key.getKeyID())
                        .build(),
                claims,
                key);
    }

    /** A token with this header and these claims, signed with a key. */
    public static String signed(JWSHeader header, JWTClaimsSet claims, RSAKey key) {
        try {
            var token = new SignedJWT(header, claims);
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/jwks")) {
                fetched.incrementAndGet();
            }
            String body = down ? null : body(path);
            byte[] bytes = String.valueOf(body).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(body == null ? 503 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private @Nullable String body(String path) {
        String location = keysAt;
        return switch (path) {
            case "/.well-known/openid-configuration" ->
                "{\"issuer\":\"%s\",\"jwks_uri\":\"%s\"}"
                        .formatted(url(), location == null ? url() + "/jwks" : location);
            case "/jwks" -> answer != null ? answer : new JWKSet(List.<JWK>copyOf(keys)).toString();
            default -> null;
        };
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
