package dev.parley.platform.testkit.teams;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.parley.platform.testkit.TokenIssuer;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The two services that sign activities: that of bots, whose keys are endorsed for channels, and Entra ID. */
public final class TeamsTokens {
    private volatile RSAKey ofBots = TokenIssuer.key("bots-1");
    private final RSAKey ofEntra = TokenIssuer.key("entra-1");
    private final AtomicInteger fetched = new AtomicInteger();
    private volatile String endorsements = "[\"msteams\",\"webchat\"]";

    /** The key of the service of bots. */
    public RSAKey key() {
        return ofBots;
    }

    /** Replaces the key of the service of bots. */
    public void rotates() {
        ofBots = TokenIssuer.key("bots-" + (Integer.parseInt(ofBots.getKeyID().substring(5)) + 1));
    }

    /** The channels for which the key may sign from now on. */
    public void endorses(String channel) {
        endorsements = "[\"" + channel + "\"]";
    }

    /** How often the keys of the service of bots were fetched. */
    public int fetched() {
        return fetched.get();
    }

    /** The published keys of the service of bots. */
    public String keysOfBots() {
        fetched.incrementAndGet();
        String key = ofBots.toPublicJWK().toString();
        return "{\"keys\":[" + key.substring(0, key.length() - 1) + ",\"endorsements\":" + endorsements + "}]}";
    }

    /** The published keys of Entra ID. */
    public String keysOfEntra() {
        return "{\"keys\":[" + ofEntra.toPublicJWK() + "]}";
    }

    /** The claims of the service of bots; tests change them. */
    public static JWTClaimsSet.Builder claims(String app, String serviceUrl) {
        Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer("https://api.botframework.com")
                .audience(List.of(app))
                .claim("serviceurl", serviceUrl)
                .notBeforeTime(Date.from(now.minusSeconds(60)))
                .expirationTime(Date.from(now.plusSeconds(3_600)));
    }

    /** A token of the service of bots. */
    public String signed(JWTClaimsSet claims) {
        return signed(claims, ofBots);
    }

    /** A token of Entra ID. */
    public String signedByEntra(JWTClaimsSet claims) {
        return signed(claims, ofEntra);
    }

    /** A token with these claims, signed with a key. */
    public static String signed(JWTClaimsSet claims, RSAKey key) {
        try {
            var token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims);
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }
}
