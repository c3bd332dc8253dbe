package dev.parley.platform.bearer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.EncryptedJWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.bearer.LinkedPeople.Found;
import dev.parley.platform.bearer.TokenVerifier.Times;
import dev.parley.platform.config.TokenIssuerConfig;
import dev.parley.platform.config.TokenIssuerConfig.Opens;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.testkit.TokenIssuer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TokensOfIssuersTest {
    private static final RSAKey ONE = TokenIssuer.key("one");
    private static final RSAKey STRANGE = TokenIssuer.key("one");
    private static final UUID ANN = Ids.of("user", "ann");
    private static final UUID ROBOT = Ids.of("user", "robot");
    private static final Set<UUID> ACTIVE = Set.of(ANN, ROBOT);
    private static TokenIssuer issuer;

    private final Map<String, UUID> linked =
            new HashMap<>(Map.of("work/ann", ANN, "work/gone", Ids.of("user", "gone")));

    @BeforeAll
    static void start() throws IOException {
        issuer = new TokenIssuer();
    }

    @AfterAll
    static void stop() {
        issuer.close();
    }

    @BeforeEach
    void whole() {
        issuer.rotates(ONE);
        issuer.isDown(false);
        issuer.keysAt(issuer.url() + "/jwks");
        issuer.answersKeysWith(null);
    }

    /** Accounts of the default host. */
    private record People() implements AccessDirectory {
        @Override
        public Optional<Account> account(UUID host, UUID user) {
            return Optional.of(new Account(host, user, 1, "x", false, ACTIVE.contains(user), null, null, null));
        }

        @Override
        public Optional<AccessKey> key(String prefix) {
            return Optional.empty();
        }

        @Override
        public Optional<Project> project(String projectKey) {
            return NOTHING.project(projectKey);
        }

        @Override
        public Optional<Member> member(UUID project, UUID user) {
            return Optional.empty();
        }

        @Override
        public Optional<Setting> setting(UUID host, String name) {
            return Optional.empty();
        }

        @Override
        public void catchUp() {
            // nothing changes
        }
    }

    private static TokenIssuerConfig config(@Nullable Opens opens, @Nullable URI jwks) {
        return new TokenIssuerConfig(
                issuer.url(),
                Set.of(TokenIssuer.AUDIENCE),
                Set.of("parley-app"),
                "work",
                jwks,
                Set.of("RS256", "ES256"),
                Set.of("at+jwt", "jwt"),
                Duration.ofSeconds(60),
                "sub",
                Map.of("service-account-ci", ROBOT),
                opens);
    }

    private TokensOfIssuers tokens(TokenIssuerConfig config, Times times) {
        var verifier = new TokenVerifier(
                config, new IssuerKeys(config, BearerFactory.outbound(config)), times, Clock.systemUTC());
        LinkedPeople people = (provider, subject) -> Optional.ofNullable(linked.get(provider + "/" + subject))
                .map(user -> new Found(AccessDirectory.DEFAULT_HOST, user));
        return new TokensOfIssuers(List.of(verifier), people, new People(), Clock.systemUTC());
    }

    private TokensOfIssuers tokens() {
        return tokens(config(null, null), Times.DEFAULT);
    }

    private static ApiException refused(TokensOfIssuers tokens, String token) {
        return assertThrows(ApiException.class, () -> tokens.caller(token));
    }

    @Test
    @Tag("B58")
    void tokenForSeveralAudiencesIsAcceptedFromOurClients() throws Exception {
        for (String client : List.of("parley-app", TokenIssuer.AUDIENCE)) {
            // Given
            JWTClaimsSet claims = issuer.claims("ann")
                    .audience(List.of("https://other.example.com", TokenIssuer.AUDIENCE))
                    .claim("azp", client)
                    .build();

            // Then
            assertEquals(
                    ANN.toString(),
                    tokens().caller(TokenIssuer.signed(claims, ONE)).user());
        }
    }

    @Test
    @Tag("I140")
    void tokenAuthenticatesItsLinkedUserUntilItExpires() {
        // When
        Caller caller = tokens().caller(issuer.token("ann"));

        // Then
        assertEquals(ANN.toString(), caller.user());
        AccessKey key = caller.key();
        assertEquals(List.of(AccessKey.ALL), key.permissions());
        assertTrue(key.isIssued());
        assertTrue(key.prefix().matches("jwt_[0-9a-f]{8}"), key.prefix());
        assertTrue(key.lasts(Instant.now().plusSeconds(290)));
        assertFalse(key.lasts(Instant.now().plusSeconds(361)), "a minute of skew, and no more");
        assertEquals(KeyKind.API_KEY, key.kind(), "it may not change how somebody signs in");
        assertThrows(ApiException.class, caller::requireSignIn);
        assertTrue(caller.refresh().isPresent());
        assertTrue(caller.lasts());
    }

    /** A flaw of a token, with a part of the error message. */
    enum Flaw {
        OF_A_WRONG_KEY("signature"),
        OF_A_WRONG_KEY_WITHOUT_KID("signature"),
        OF_AN_UNKNOWN_KID("signature"),
        WITH_ITS_OWN_KEY_IN_THE_HEADER("signature"),
        CHANGED("signature"),
        UNSIGNED("not signed"),
        ENCRYPTED("not signed"),
        SIGNED_WITH_THE_PUBLIC_KEY_AS_SECRET("algorithm"),
        OF_AN_ALGORITHM_THAT_IS_NOT_LISTED("algorithm"),
        WITH_SOMETHING_CRITICAL("signature"),
        ENDED("expired"),
        WITHOUT_AN_END("no expiry"),
        NOT_YET("not valid yet"),
        FOR_ANOTHER_AUDIENCE("aud"),
        OF_ANOTHER_CLIENT("azp"),
        OF_A_CLIENT_THAT_IS_NO_TEXT("azp"),
        FOR_SEVERAL_AND_OF_ANOTHER_CLIENT("azp"),
        FOR_SEVERAL_AND_OF_NO_CLIENT("azp"),
        FOR_NOBODY("aud"),
        OF_ANOTHER_ISSUER("issuer"),
        OF_NO_ISSUER("issuer"),
        OF_ANOTHER_TYPE("typ"),
        WITHOUT_A_TYPE("typ"),
        WITHOUT_A_SUBJECT("sub"),
        OF_SOMEBODY_UNKNOWN("no account here is linked"),
        OF_SOMEBODY_WHO_IS_GONE("no permissions here"),
        HUGE("more than 8192"),
        RUBBISH("not a JWT"),
        NO_JSON("not a JWT");

        private final String fault;

        Flaw(String fault) {
            this.fault = fault;
        }
    }

    private static JWSHeader.Builder header() {
        return new JWSHeader.Builder(JWSAlgorithm.RS256).type(new JOSEObjectType("at+jwt"));
    }

    private static String invalidToken(Flaw flaw) throws JOSEException {
        JWTClaimsSet.Builder claims = issuer.claims("ann");
        JWTClaimsSet good = issuer.claims("ann").build();
        Instant now = Instant.now();
        return switch (flaw) {
            case OF_A_WRONG_KEY -> TokenIssuer.signed(good, STRANGE);
            case OF_A_WRONG_KEY_WITHOUT_KID -> TokenIssuer.signed(header().build(), good, STRANGE);
            case OF_AN_UNKNOWN_KID -> TokenIssuer.signed(header().keyID("two").build(), good, STRANGE);
            case WITH_ITS_OWN_KEY_IN_THE_HEADER ->
                TokenIssuer.signed(header().jwk(STRANGE.toPublicJWK()).build(), good, STRANGE);
            case CHANGED -> changed(issuer.token("nobody"), good);
            case UNSIGNED -> new PlainJWT(good).serialize();
            case ENCRYPTED -> encrypted(good);
            case SIGNED_WITH_THE_PUBLIC_KEY_AS_SECRET -> signedWithPublicKey(good);
            case OF_AN_ALGORITHM_THAT_IS_NOT_LISTED ->
                TokenIssuer.signed(
                        new JWSHeader.Builder(JWSAlgorithm.PS256).keyID("one").build(), good, ONE);
            case WITH_SOMETHING_CRITICAL ->
                TokenIssuer.signed(
                        header().keyID("one")
                                .criticalParams(Set.of("exp"))
                                .customParam("exp", 1)
                                .build(),
                        good,
                        ONE);
            case ENDED ->
                TokenIssuer.signed(
                        claims.expirationTime(Date.from(now.minusSeconds(61))).build(), ONE);
            case WITHOUT_AN_END ->
                TokenIssuer.signed(claims.expirationTime(null).build(), ONE);
            case NOT_YET ->
                TokenIssuer.signed(
                        claims.notBeforeTime(Date.from(now.plusSeconds(90))).build(), ONE);
            case FOR_ANOTHER_AUDIENCE ->
                TokenIssuer.signed(claims.audience("https://other.example.com").build(), ONE);
            case OF_ANOTHER_CLIENT ->
                TokenIssuer.signed(claims.claim("azp", "somebody").build(), ONE);
            case OF_A_CLIENT_THAT_IS_NO_TEXT ->
                TokenIssuer.signed(claims.claim("azp", List.of("parley-app")).build(), ONE);
            case FOR_SEVERAL_AND_OF_ANOTHER_CLIENT ->
                TokenIssuer.signed(
                        claims.audience(List.of(TokenIssuer.AUDIENCE, "https://other.example.com"))
                                .claim("azp", "somebody")
                                .build(),
                        ONE);
            case FOR_SEVERAL_AND_OF_NO_CLIENT ->
                TokenIssuer.signed(
                        claims.audience(List.of(TokenIssuer.AUDIENCE, "https://other.example.com"))
                                .claim("azp", null)
                                .build(),
                        ONE);
            case FOR_NOBODY -> TokenIssuer.signed(claims.audience((String) null).build(), ONE);
            case OF_ANOTHER_ISSUER ->
                TokenIssuer.signed(claims.issuer("https://evil.example.com").build(), ONE);
            case OF_NO_ISSUER -> TokenIssuer.signed(claims.issuer(null).build(), ONE);
            case OF_ANOTHER_TYPE ->
                TokenIssuer.signed(
                        header().type(new JOSEObjectType("logout+jwt"))
                                .keyID("one")
                                .build(),
                        good,
                        ONE);
            case WITHOUT_A_TYPE ->
                TokenIssuer.signed(
                        new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build(), good, ONE);
            case WITHOUT_A_SUBJECT -> TokenIssuer.signed(claims.subject(null).build(), ONE);
            case OF_SOMEBODY_UNKNOWN -> issuer.token("bob");
            case OF_SOMEBODY_WHO_IS_GONE -> issuer.token("gone");
            case HUGE ->
                TokenIssuer.signed(claims.claim("more", "x".repeat(9_000)).build(), ONE);
            case RUBBISH -> "ey.ey.ey";
            case NO_JSON -> "eyJhbGciOiJSUzI1NiI.e30.AA";
        };
    }

    private static String changed(String token, JWTClaimsSet claims) {
        String[] parts = token.split("\\.");
        return parts[0] + "." + claims.toPayload().toBase64URL() + "." + parts[2];
    }

    private static String signedWithPublicKey(JWTClaimsSet claims) throws JOSEException {
        var token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256)
                        .type(new JOSEObjectType("at+jwt"))
                        .keyID("one")
                        .build(),
                claims);
        token.sign(new MACSigner(ONE.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)));
        return token.serialize();
    }

    private static String encrypted(JWTClaimsSet claims) throws JOSEException {
        var token = new EncryptedJWT(
                new JWEHeader.Builder(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A128GCM).build(), claims);
        token.encrypt(new RSAEncrypter(ONE.toRSAPublicKey()));
        return token.serialize();
    }

    @ParameterizedTest
    @EnumSource(Flaw.class)
    @Tag("I141")
    void rejectsAnInvalidTokenAndNamesTheFlaw(Flaw flaw) throws JOSEException {
        var tokens = tokens();
        String token = invalidToken(flaw);

        ApiException e = refused(tokens, token);

        assertEquals(401, e.status().getCode(), e.getMessage());
        assertEquals("invalid_token", e.code());
        assertTrue(e.getMessage().contains(flaw.fault), e.getMessage());
        assertTrue(tokens.takes(token), "it is looked at as a token");
        assertEquals(ANN.toString(), tokens.caller(issuer.token("ann")).user(), "others are let in");
    }

    @Test
    void triesAllKeysForATokenWithoutKid() {
        String token = TokenIssuer.signed(header().build(), issuer.claims("ann").build(), ONE);

        assertEquals(ANN.toString(), tokens().caller(token).user());
    }

    @Test
    @Tag("I142")
    void fetchesARotatedKeyAndLimitsFetchesForUnknownKeys() {
        // Given
        var tokens = tokens();
        int before = issuer.fetched();
        String old = issuer.token("ann");
        tokens.caller(old);

        // When
        issuer.rotates(TokenIssuer.key("two"));

        // Then
        assertEquals(ANN.toString(), tokens.caller(issuer.token("ann")).user());
        assertEquals(401, refused(tokens, old).status().getCode(), "the key is withdrawn");
        for (int i = 0; i < 50; i++) {
            String unknown = TokenIssuer.signed(
                    header().keyID("unknown-" + i).build(), issuer.claims("ann").build(), STRANGE);
            assertEquals("invalid_token", refused(tokens, unknown).code());
        }
        assertEquals(2, issuer.fetched() - before);
    }

    @Test
    void concurrentRequestsFetchTheKeysOnce() throws Exception {
        // Given
        var tokens = tokens();
        int before = issuer.fetched();
        String token = issuer.token("ann");

        // When
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Callable<String>>();
            for (int i = 0; i < 40; i++) {
                calls.add(() -> tokens.caller(token).user());
            }
            for (var future : threads.invokeAll(calls)) {
                assertEquals(ANN.toString(), future.get());
            }
        }

        // Then
        assertEquals(1, issuer.fetched() - before);
    }

    @Test
    @Tag("I142")
    void usesCachedKeysForABoundedTimeWhileTheIssuerIsDown() {
        // Given
        var times = new Times(Duration.ofMillis(20), Duration.ofMillis(5), Duration.ofMillis(1_500));
        var tokens = tokens(config(null, null), times);
        tokens.caller(issuer.token("ann"));

        // When
        issuer.isDown(true);
        int before = issuer.fetched();
        String token = issuer.token("ann");

        // Then
        Awaitility.await().until(() -> {
            assertEquals(ANN.toString(), tokens.caller(token).user(), "keys that were fetched count on");
            return issuer.fetched() > before;
        });
        Awaitility.await().untilAsserted(() -> {
            ApiException e = refused(tokens, token);
            assertEquals("issuer_unavailable", e.code());
            assertEquals(503, e.status().getCode());
        });
        issuer.isDown(false);
        Awaitility.await()
                .untilAsserted(
                        () -> assertEquals(ANN.toString(), tokens.caller(token).user()));
    }

    @Test
    void unreachableIssuerIsReportedAsUnavailable() {
        var tokens = tokens();
        String token = issuer.token("ann");
        issuer.isDown(true);

        for (int i = 0; i < 5; i++) {
            ApiException e = refused(tokens, token);
            assertEquals("issuer_unavailable", e.code(), e.getMessage());
            assertTrue(e.retryAfter().isPresent());
        }
    }

    @Test
    void discoveryDocumentCannotPointToPrivateAddresses() {
        // Given
        issuer.keysAt("http://localhost:" + issuer.port() + "/jwks");
        int before = issuer.fetched();

        // Then
        assertEquals(
                "issuer_unavailable", refused(tokens(), issuer.token("ann")).code());
        assertEquals(before, issuer.fetched(), "nobody was asked");

        // But
        var configured = config(null, URI.create("http://localhost:" + issuer.port() + "/jwks"));
        assertEquals(
                ANN.toString(),
                tokens(configured, Times.DEFAULT).caller(issuer.token("ann")).user(),
                "what the operator writes is meant");
    }

    @Test
    void rejectsOversizedOrMalformedKeySets() {
        String largest = keys(100);
        String longest = largest + " ".repeat((256 << 10) - largest.length());
        for (String answer : List.of(largest, longest)) {
            issuer.answersKeysWith(answer);
            assertEquals(ANN.toString(), tokens().caller(issuer.token("ann")).user());
        }

        for (String answer : List.of(keys(101), longest + " ")) {
            issuer.answersKeysWith(answer);
            assertEquals(
                    "issuer_unavailable", refused(tokens(), issuer.token("ann")).code());
        }
    }

    /** The issuer's key and others. */
    private static String keys(int number) {
        var keys = new ArrayList<JWK>(List.of(ONE));
        while (keys.size() < number) {
            keys.add(new RSAKey.Builder(ONE).keyID("other-" + keys.size()).build());
        }
        return new JWKSet(keys).toString();
    }

    @Test
    void rejectsMalformedKeySets() {
        for (String answer :
                new String[] {"{\"keys\":[{\"kty\":\"RSA\"},{}]}", "x".repeat(300_000), "[]", "{\"keys\":7}"}) {
            issuer.answersKeysWith(answer);
            assertEquals(
                    "issuer_unavailable", refused(tokens(), issuer.token("ann")).code());
        }
    }

    @Test
    @Tag("I143")
    void claimsDetermineTheCapabilitiesOfAToken() {
        var opens = new Opens(
                "realm_access.roles",
                Map.of("reader", List.of("session.read", "project.read"), "writer", List.of("session.send")));
        var tokens = tokens(config(opens, null), Times.DEFAULT);

        assertEquals(
                List.of("project.read", "session.read", "session.send"),
                permissions(tokens, "realm_access", Map.of("roles", List.of("writer", "reader", "other", "reader"))));
        assertEquals(List.of(), permissions(tokens, "realm_access", Map.of("roles", 7)));
        assertEquals(List.of(), permissions(tokens, "realm_access", "reader"));
        assertEquals(List.of(), permissions(tokens, "other", "reader"), "without the claim it opens nothing");

        var byScope = tokens(config(new Opens("scope", Map.of("parley", List.of("*"))), null), Times.DEFAULT);
        assertEquals(List.of("*"), permissions(byScope, "scope", "openid parley"));
        assertEquals(List.of(), permissions(byScope, "scope", "openid parley-not"));
    }

    private static List<String> permissions(TokensOfIssuers tokens, String claim, Object value) {
        String token =
                TokenIssuer.signed(issuer.claims("ann").claim(claim, value).build(), ONE);
        return tokens.caller(token).key().permissions();
    }

    @Test
    void configuredSubjectNeedsNoLinkedAccount() {
        assertEquals(
                ROBOT.toString(),
                tokens().caller(issuer.token("service-account-ci")).user());
    }

    @Test
    void doesNotTreatApiKeysAsIssuedTokens() {
        var tokens = tokens();
        for (String key : new String[] {"parley_abcdefgh_x", "", "ey", "secret.key", "eyJ"}) {
            assertFalse(tokens.takes(key), key);
        }
        var none = new TokensOfIssuers(
                List.of(), (provider, subject) -> Optional.empty(), new People(), Clock.systemUTC());
        assertFalse(none.takes(issuer.token("ann")), "off where no issuer is named");
    }
}
