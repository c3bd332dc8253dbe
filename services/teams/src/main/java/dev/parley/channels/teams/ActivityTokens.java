package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the token of an activity: that Microsoft signed it, for this bot, for Teams, and for the place that answers
 * are sent to. The service of bots signs with its own keys; some tenants send tokens of Entra ID, of which only those
 * of the bot's tenant count, and only those that were issued to the bot's app.
 *
 * @see <a href="https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication">
 *     connector to bot</a>
 */
final class ActivityTokens {
    private static final String SCHEME = "Bearer ";
    private static final String CHANNEL = "msteams";
    private static final int MAX_TOKEN = 16 << 10;
    /** By which the clocks of Microsoft and of this machine may differ. */
    private static final Duration SKEW = Duration.ofMinutes(5);

    private final TeamsCloud cloud;
    private final String app;
    private final String tenant;
    private final SigningKeys ofBots;
    private final SigningKeys ofEntra;
    private final InstantSource clock;

    /** An activity without a valid token. The message is for operators. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    /**
     * @param ofBots keys of the service of bots
     * @param ofEntra keys of Entra ID
     */
    ActivityTokens(
            TeamsCloud cloud, String app, String tenant, SigningKeys ofBots, SigningKeys ofEntra, InstantSource clock) {
        this.cloud = cloud;
        this.app = app;
        this.tenant = tenant;
        this.ofBots = ofBots;
        this.ofEntra = ofEntra;
        this.clock = clock;
    }

    /**
     * Verifies an activity.
     *
     * @param authorization the header, or null
     * @throws TeamsApiException where the keys are not known now
     */
    void verify(@Nullable String authorization, JsonNode activity)
            throws RefusedException, TeamsApiException, InterruptedException {
        if (authorization == null
                || authorization.length() > MAX_TOKEN
                || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw new RefusedException("no token");
        }
        checkPlace(activity);
        try {
            verify(SignedJWT.parse(authorization.substring(SCHEME.length()).strip()), activity);
        } catch (ParseException | JOSEException e) {
            throw new RefusedException("not a signed token");
        }
    }

    private void checkPlace(JsonNode activity) throws RefusedException {
        require(activity.path("channelId").asText("").equals(CHANNEL), "the channel is not Teams");
        require(cloud.isConnector(activity.path("serviceUrl").asText("")), "the service URL is not the connector's");
        for (JsonNode of : List.of(
                activity.path("conversation").path("tenantId"),
                activity.path("channelData").path("tenant").path("id"))) {
            require(of.isMissingNode() || of.isNull() || isTenant(of.asText()), "another tenant");
        }
    }

    private void verify(SignedJWT token, JsonNode activity)
            throws ParseException, JOSEException, RefusedException, TeamsApiException, InterruptedException {
        require(JWSAlgorithm.RS256.equals(token.getHeader().getAlgorithm()), "not RS256");
        String issuer = Objects.requireNonNullElse(token.getJWTClaimsSet().getIssuer(), "");
        boolean isOfBots = issuer.equals(cloud.issuer());
        require(isOfBots || cloud.entraIssuers(tenant).contains(issuer), "another issuer");
        SigningKeys.Key key = (isOfBots ? ofBots : ofEntra)
                .find(String.valueOf(token.getHeader().getKeyID()))
                .orElseThrow(() -> new RefusedException("unknown key"));
        require(token.verify(new RSASSAVerifier(key.key())), "wrong signature");
        JWTClaimsSet claims = token.getJWTClaimsSet();
        checkTimes(claims);
        if (isOfBots) {
            require(claims.getAudience().equals(List.of(app)), "another audience");
            require(key.endorsements().contains(CHANNEL), "the key is not endorsed for Teams");
            require(isService(claims, activity), "another service URL");
        } else {
            checkEntra(claims, activity);
        }
    }

    private void checkTimes(JWTClaimsSet claims) throws RefusedException {
        Instant now = clock.instant();
        Date expires = claims.getExpirationTime();
        Date begins = claims.getNotBeforeTime();
        require(expires != null && now.isBefore(expires.toInstant().plus(SKEW)), "expired");
        require(begins == null || now.isAfter(begins.toInstant().minus(SKEW)), "not valid yet");
    }

    /** Any app of the tenant gets tokens for this audience, so the token has to be the bot's own. */
    private void checkEntra(JWTClaimsSet claims, JsonNode activity) throws ParseException, RefusedException {
        Set<String> audiences = Set.of(app, "api://" + app, cloud.issuer());
        require(
                claims.getAudience().size() == 1
                        && audiences.contains(claims.getAudience().getFirst()),
                "another audience");
        for (String name : List.of("appid", "azp")) {
            String of = claims.getStringClaim(name);
            require(of == null || of.equalsIgnoreCase(app), "a token of another app");
        }
        String of = claims.getStringClaim("tid");
        require(of == null || isTenant(of), "a token of another tenant");
        require(claims.getClaim("serviceurl") == null || isService(claims, activity), "another service URL");
    }

    private static boolean isService(JWTClaimsSet claims, JsonNode activity) throws ParseException {
        String claimed = Objects.requireNonNullElse(claims.getStringClaim("serviceurl"), "");
        return trimmed(claimed).equals(trimmed(activity.path("serviceUrl").asText("")));
    }

    private static String trimmed(String url) {
        return url.replaceAll("/+$", "");
    }

    private boolean isTenant(String other) {
        return other.equalsIgnoreCase(tenant);
    }

    private static void require(boolean isTrue, String otherwise) throws RefusedException {
        if (!isTrue) {
            throw new RefusedException(otherwise);
        }
    }
}
