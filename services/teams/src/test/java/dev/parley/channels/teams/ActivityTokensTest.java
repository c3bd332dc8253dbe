package dev.parley.channels.teams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.channels.contract.SendFailure.Kind;
import dev.parley.channels.teams.ActivityTokens.RefusedException;
import dev.parley.platform.testkit.TokenIssuer;
import dev.parley.platform.testkit.teams.FakeTeams;
import dev.parley.platform.testkit.teams.TeamsTokens;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("B210")
class ActivityTokensTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SERVICE = "https://smba.trafficmanager.net/emea/";
    private static final TeamsTokens TOKENS = new TeamsTokens();

    private final TeamsTokens tokens = TOKENS;
    private boolean isAway;
    private final ActivityTokens verifier = new ActivityTokens(
            TeamsCloud.of(TeamsCloud.PUBLIC),
            FakeTeams.APP,
            FakeTeams.TENANT,
            new SigningKeys(() -> json(tokens.keysOfBots()), Clock.systemUTC()),
            new SigningKeys(() -> json(tokens.keysOfEntra()), Clock.systemUTC()),
            Clock.systemUTC());

    private JsonNode json(String text) throws TeamsApiException {
        if (isAway) {
            throw TeamsApiException.of(Kind.LATER, "away", null);
        }
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static ObjectNode activity() {
        ObjectNode activity = JSON.createObjectNode()
                .put("type", "message")
                .put("channelId", "msteams")
                .put("serviceUrl", SERVICE);
        activity.putObject("conversation").put("id", "a:1").put("tenantId", FakeTeams.TENANT);
        activity.putObject("channelData").putObject("tenant").put("id", FakeTeams.TENANT);
        return activity;
    }

    private static JWTClaimsSet.Builder claims() {
        return TeamsTokens.claims(FakeTeams.APP, SERVICE);
    }

    private static JWTClaimsSet.Builder entra(String audience) {
        return new JWTClaimsSet.Builder()
                .issuer("https://sts.windows.net/" + FakeTeams.TENANT + "/")
                .audience(audience)
                .claim("tid", FakeTeams.TENANT)
                .claim("appid", FakeTeams.APP)
                .expirationTime(Date.from(Instant.now().plusSeconds(60)));
    }

    /** The reason for which an activity is refused; empty where it is accepted. */
    private String refusal(@Nullable String token, JsonNode activity) throws Exception {
        try {
            verifier.verify(token == null ? null : "Bearer " + token, activity);
            return "";
        } catch (RefusedException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private String refusalOfBots(JWTClaimsSet.Builder claims) throws Exception {
        return refusal(tokens.signed(claims.build()), activity());
    }

    private String refusalOfEntra(JWTClaimsSet.Builder claims) throws Exception {
        return refusal(tokens.signedByEntra(claims.build()), activity());
    }

    @Test
    void acceptsTokensOfTheServiceOfBotsAndOfEntra() throws Exception {
        assertEquals("", refusalOfBots(claims()));
        assertEquals("", refusalOfBots(claims().claim("serviceurl", "https://smba.trafficmanager.net/emea")));
        for (String audience : List.of(FakeTeams.APP, "api://" + FakeTeams.APP, "https://api.botframework.com")) {
            assertEquals("", refusalOfEntra(entra(audience)), audience);
        }
        assertEquals(
                "",
                refusalOfEntra(entra(FakeTeams.APP)
                        .issuer("https://login.microsoftonline.com/" + FakeTeams.TENANT + "/v2.0")));
    }

    @Test
    void toleratesFiveMinutesBetweenTheClocks() throws Exception {
        Instant now = Instant.now();
        assertEquals("", refusalOfBots(claims().expirationTime(Date.from(now.minusSeconds(290)))));
        assertEquals("", refusalOfBots(claims().notBeforeTime(Date.from(now.plusSeconds(290)))));
        assertEquals("expired", refusalOfBots(claims().expirationTime(Date.from(now.minusSeconds(310)))));
        assertEquals("not valid yet", refusalOfBots(claims().notBeforeTime(Date.from(now.plusSeconds(310)))));
        assertEquals("expired", refusalOfBots(claims().expirationTime(null)));
    }

    @Test
    void refusesTokensForOthers() throws Exception {
        assertEquals("another audience", refusalOfBots(claims().audience("another")));
        assertEquals("another audience", refusalOfBots(claims().audience(List.of(FakeTeams.APP, "another"))));
        assertEquals("another issuer", refusalOfBots(claims().issuer("https://api.botframework.us")));
        assertEquals(
                "another service URL",
                refusalOfBots(claims().claim("serviceurl", "https://smba.trafficmanager.net/amer/")));
        assertEquals("another service URL", refusalOfBots(claims().claim("serviceurl", null)));
        assertEquals("another audience", refusalOfEntra(entra("https://graph.microsoft.com")));
    }

    @Test
    void refusesTokensOfAnotherTenantOrAppOfEntra() throws Exception {
        String other = "99999999-bbbb-cccc-dddd-eeeeeeeeeeee";
        assertEquals(
                "another issuer",
                refusalOfEntra(entra(FakeTeams.APP).issuer("https://sts.windows.net/" + other + "/")));
        assertEquals(
                "a token of another tenant", refusalOfEntra(entra(FakeTeams.APP).claim("tid", other)));
        assertEquals(
                "a token of another app",
                refusalOfEntra(entra("https://api.botframework.com").claim("appid", other)));
        assertEquals(
                "a token of another app",
                refusalOfEntra(entra(FakeTeams.APP).claim("appid", null).claim("azp", other)));
    }

    @ParameterizedTest
    @CsvSource({
        "/channelId,    webchat,                                the channel is not Teams",
        "/serviceUrl,   https://evil.example.com/emea/,         the service URL is not the connector's",
        "/serviceUrl,   http://smba.trafficmanager.net/emea/,   the service URL is not the connector's",
        "/serviceUrl,   https://smba.trafficmanager.net:8443/,  the service URL is not the connector's",
        "/serviceUrl,   https://x@smba.trafficmanager.net/,     the service URL is not the connector's",
        "/conversation/tenantId,   99999999-bbbb-cccc-dddd-eeeeeeeeeeee, another tenant",
        "/channelData/tenant/id,   99999999-bbbb-cccc-dddd-eeeeeeeeeeee, another tenant"
    })
    void refusesActivitiesOfOtherPlaces(String field, String value, String reason) throws Exception {
        ObjectNode activity = activity();
        int last = field.lastIndexOf('/');
        ((ObjectNode) activity.at(field.substring(0, last))).put(field.substring(last + 1), value);

        String token = tokens.signed(
                claims().claim("serviceurl", activity.path("serviceUrl").asText())
                        .build());

        assertEquals(reason, refusal(token, activity));
    }

    @Test
    void refusesOtherSignatures() throws Exception {
        String valid = tokens.signed(claims().build());
        int dot = valid.lastIndexOf('.');
        String changed =
                valid.substring(0, dot + 1) + (valid.charAt(dot + 1) == 'A' ? 'B' : 'A') + valid.substring(dot + 2);
        var hmac = new SignedJWT(new JWSHeader(JWSAlgorithm.HS256), claims().build());
        hmac.sign(new MACSigner(new byte[32]));

        assertEquals("wrong signature", refusal(changed, activity()));
        assertEquals("unknown key", refusal(TeamsTokens.signed(claims().build(), TokenIssuer.key("x")), activity()));
        assertEquals("unknown key", refusalOfEntraKeyForBots());
        assertEquals("not RS256", refusal(hmac.serialize(), activity()));
        assertEquals("not a signed token", refusal(new PlainJWT(claims().build()).serialize(), activity()));
    }

    /** A key of Entra ID does not sign for the service of bots. */
    private String refusalOfEntraKeyForBots() throws Exception {
        return refusal(tokens.signedByEntra(claims().build()), activity());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "a.b.c", "….….…"})
    void refusesNonsense(String token) throws Exception {
        assertEquals("not a signed token", refusal(token, activity()));
        assertEquals("no token", refusal(null, activity()));
    }

    @Test
    void refusesKeysThatAreNotEndorsedForTeams() throws Exception {
        var webchat = new TeamsTokens();
        webchat.endorses("webchat");
        var strict = new ActivityTokens(
                TeamsCloud.of(TeamsCloud.PUBLIC),
                FakeTeams.APP,
                FakeTeams.TENANT,
                new SigningKeys(() -> json(webchat.keysOfBots()), Clock.systemUTC()),
                new SigningKeys(() -> json(webchat.keysOfEntra()), Clock.systemUTC()),
                Clock.systemUTC());

        var refused = assertThrows(
                RefusedException.class, () -> strict.verify("Bearer " + webchat.signed(claims().build()), activity()));

        assertEquals("the key is not endorsed for Teams", refused.getMessage());
    }

    @Test
    void saysWhenTheKeysAreNotKnownNow() throws JOSEException {
        isAway = true;

        assertThrows(TeamsApiException.class, () -> refusalOfBots(claims()));
    }

    @ParameterizedTest
    @CsvSource({
        "https://smba.trafficmanager.net,              https://login.microsoftonline.com, https://api.botframework.com",
        "https://smba.infra.gcc.teams.microsoft.com,   https://login.microsoftonline.com, https://api.botframework.com",
        "https://smba.infra.gov.teams.microsoft.us,    https://login.microsoftonline.us,  https://api.botframework.us",
        "http://127.0.0.1:1234,                        http://127.0.0.1:1234,             https://api.botframework.com"
    })
    void knowsTheServicesOfEachCloud(URI api, URI login, String issuer) {
        TeamsCloud cloud = TeamsCloud.of(api);

        assertEquals(login, cloud.login());
        assertEquals(issuer, cloud.issuer());
    }
}
