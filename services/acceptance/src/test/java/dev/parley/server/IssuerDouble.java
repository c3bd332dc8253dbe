package dev.parley.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.oauth2.sdk.util.URLUtils;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** An OpenID Connect provider: it signs with its own key, exchanges each code for tokens once, and requires PKCE. */
final class IssuerDouble implements AutoCloseable {
    static final String CLIENT = "parley";
    static final String SECRET = "the-secret/of_this+client";

    private final LocalServer server = LocalServer.start().handle("/", this::handle);
    private final RSAKey key = key();
    private final RSAKey other = key();
    private final Map<String, Grant> grants = new ConcurrentHashMap<>();
    private volatile boolean broken;

    /** A defect of an ID token. */
    enum Flaw {
        NONE,
        FORGED,
        UNSIGNED,
        EXPIRED,
        OF_ANOTHER_ISSUER,
        FOR_ANOTHER_CLIENT,
        OF_ANOTHER_SIGN_IN
    }

    /** The user who signs in. */
    record Person(String subject, String login, String email, boolean verified) {}

    private record Grant(Person person, Flaw flaw, Map<String, List<String>> parameters) {
        String parameter(String name) {
            return parameters.getOrDefault(name, List.of("")).getFirst();
        }
    }

    private static RSAKey key() {
        try {
            return new RSAKeyGenerator(2_048).keyID("one").generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    String url() {
        return server.url();
    }

    /** From now on, all responses are errors. */
    void breaks(boolean now) {
        broken = now;
    }

    /** Signs a user in for an authorization request; returns the URL to which they are redirected. */
    String agrees(URI authorizationUri, Person person, Flaw flaw) {
        Map<String, List<String>> parameters = URLUtils.parseParameters(authorizationUri.getRawQuery());
        String code = UUID.randomUUID().toString();
        var grant = new Grant(person, flaw, parameters);
        grants.put(code, grant);
        return grant.parameter("redirect_uri") + "?code=" + code + "&state=" + grant.parameter("state");
    }

    String agrees(URI authorizationUri, Person person) {
        return agrees(authorizationUri, person, Flaw.NONE);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String body = broken
                    ? null
                    : switch (exchange.getRequestURI().getPath()) {
                        case "/.well-known/openid-configuration" -> metadata();
                        case "/jwks" -> new JWKSet(key.toPublicJWK()).toString();
                        case "/token" -> token(exchange.getRequestHeaders().getFirst("Authorization"), form);
                        default -> null;
                    };
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            LocalServer.respond(
                    exchange, body == null ? 400 : 200, body == null ? "{\"error\":\"invalid_grant\"}" : body);
        } catch (JOSEException e) {
            throw new IOException(e);
        }
    }

    private String metadata() {
        return """
                {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize","token_endpoint":"%1$s/token","jwks_uri":"%1$s/jwks",\
                "response_types_supported":["code"],"subject_types_supported":["public"],\
                "id_token_signing_alg_values_supported":["RS256"]}""".formatted(url());
    }

    private String token(String authorization, String form) throws JOSEException {
        Map<String, List<String>> sent = URLUtils.parseParameters(form);
        Grant grant = grants.remove(sent.get("code").getFirst());
        if (grant == null || !isClient(authorization)) {
            return null;
        }
        var verifier = new CodeVerifier(sent.get("code_verifier").getFirst());
        boolean proved = grant.parameter("code_challenge_method").equals("S256")
                && grant.parameter("code_challenge")
                        .equals(CodeChallenge.compute(CodeChallengeMethod.S256, verifier)
                                .getValue())
                && Objects.equals(sent.get("redirect_uri"), grant.parameters().get("redirect_uri"));
        return proved
                ? "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"id_token\":\"" + idToken(grant) + "\"}"
                : null;
    }

    private static boolean isClient(String authorization) {
        String sent = new String(
                Base64.getDecoder().decode(authorization.substring("Basic ".length())), StandardCharsets.UTF_8);
        return sent.equals(CLIENT + ":" + java.net.URLEncoder.encode(SECRET, StandardCharsets.UTF_8));
    }

    private String idToken(Grant grant) throws JOSEException {
        Instant now = Instant.now();
        Flaw flaw = grant.flaw();
        var claims = new JWTClaimsSet.Builder()
                .issuer(flaw == Flaw.OF_ANOTHER_ISSUER ? "http://127.0.0.1:1" : url())
                .subject(grant.person().subject())
                .audience(flaw == Flaw.FOR_ANOTHER_CLIENT ? "somebody" : CLIENT)
                .issueTime(Date.from(now.minus(Duration.ofHours(1))))
                .expirationTime(Date.from(now.plus(Duration.ofMinutes(flaw == Flaw.EXPIRED ? -5 : 5))))
                .claim("nonce", flaw == Flaw.OF_ANOTHER_SIGN_IN ? "another" : grant.parameter("nonce"))
                .claim("preferred_username", grant.person().login())
                .claim("email", grant.person().email())
                .claim("email_verified", grant.person().verified())
                .build();
        if (flaw == Flaw.UNSIGNED) {
            return new com.nimbusds.jwt.PlainJWT(claims).serialize();
        }
        var token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build(), claims);
        token.sign(new RSASSASigner(flaw == Flaw.FORGED ? other : key));
        return token.serialize();
    }

    /**
     * An access token for an API, valid for five minutes.
     *
     * @param scope the scopes, separated by spaces
     */
    String accessToken(String subject, String audience, String scope) {
        try {
            var claims = new JWTClaimsSet.Builder()
                    .issuer(url())
                    .subject(subject)
                    .audience(audience)
                    .expirationTime(Date.from(Instant.now().plus(Duration.ofMinutes(5))))
                    .claim("scope", scope)
                    .build();
            var header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                    .type(new JOSEObjectType("at+jwt"))
                    .keyID("one")
                    .build();
            var token = new SignedJWT(header, claims);
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
