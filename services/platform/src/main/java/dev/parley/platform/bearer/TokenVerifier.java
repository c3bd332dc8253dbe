package dev.parley.platform.bearer;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.parley.platform.config.TokenIssuerConfig;
import java.time.Clock;
import java.time.Duration;
import java.util.stream.Collectors;

/** Verifies tokens of one issuer: first the signature, then the claims. */
final class TokenVerifier {
    private final TokenIssuerConfig config;
    private final IssuerKeys keys;
    private final Clock clock;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    /**
     * How long keys count.
     *
     * @param fresh keys are fetched again after so long
     * @param between unknown keys make the issuer be asked twice in this time, and no more
     * @param outage keys count for so long after they were fetched last, while the issuer cannot be reached
     */
    record Times(Duration fresh, Duration between, Duration outage) {
        static final Times USUAL = new Times(Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ofHours(4));

        /** How long one waits for another who is asking the issuer. */
        static final Duration PATIENCE = Duration.ofSeconds(12);
    }

    TokenVerifier(TokenIssuerConfig config, IssuerKeys keys, Times times, Clock clock) {
        this.config = config;
        this.keys = keys;
        this.clock = clock;
        JWKSource<SecurityContext> source = JWKSourceBuilder.create(keys)
                .cache(times.fresh().toMillis(), Times.PATIENCE.toMillis())
                .refreshAheadCache(false)
                .rateLimited(times.between().toMillis())
                .outageTolerant(times.outage().toMillis())
                .build();
        var algorithms = config.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, source));
        processor.setJWSTypeVerifier((type, context) -> {}); // it is looked at before, in TokenRules
        processor.setJWTClaimsSetVerifier((claims, context) -> {}); // they are looked at afterwards
    }

    TokenIssuerConfig config() {
        return config;
    }

    /**
     * What a token claims, proved.
     *
     * @throws TokenRefusedException where it proves nothing
     * @throws KeysUnavailableException where the issuer cannot be asked, and has to be
     */
    JWTClaimsSet verify(SignedJWT token) throws TokenRefusedException, KeysUnavailableException {
        TokenRules.checkHeader(config, token.getHeader());
        JWTClaimsSet claims = signed(token);
        TokenRules.checkClaims(config, claims, clock.instant());
        return claims;
    }

    private JWTClaimsSet signed(SignedJWT token) throws TokenRefusedException, KeysUnavailableException {
        try {
            return processor.process(token, null);
        } catch (RateLimitReachedException e) {
            if (!keys.known()) {
                throw new KeysUnavailableException(e);
            }
            throw new TokenRefusedException("No key of the issuer has the kid of the token.");
        } catch (KeySourceException e) {
            throw new KeysUnavailableException(e);
        } catch (BadJOSEException | JOSEException e) {
            throw new TokenRefusedException("The signature of the token is not made with a key of the issuer.");
        }
    }
}
