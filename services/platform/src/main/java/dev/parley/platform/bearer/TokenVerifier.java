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
     * Cache times of keys.
     *
     * @param fresh age at which keys are fetched again
     * @param between period in which unknown keys cause at most two fetches
     * @param outage time for which keys are used while the issuer cannot be reached
     */
    record Times(Duration fresh, Duration between, Duration outage) {
        static final Times DEFAULT = new Times(Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ofHours(4));

        /** Timeout for a fetch of another thread. */
        static final Duration FETCH_TIMEOUT = Duration.ofSeconds(12);
    }

    TokenVerifier(TokenIssuerConfig config, IssuerKeys keys, Times times, Clock clock) {
        this.config = config;
        this.keys = keys;
        this.clock = clock;
        JWKSource<SecurityContext> source = JWKSourceBuilder.create(keys)
                .cache(times.fresh().toMillis(), Times.FETCH_TIMEOUT.toMillis())
                .refreshAheadCache(false)
                .rateLimited(times.between().toMillis())
                .outageTolerant(times.outage().toMillis())
                .build();
        var algorithms = config.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, source));
        processor.setJWSTypeVerifier((type, context) -> {}); // checked before, by TokenRules
        processor.setJWTClaimsSetVerifier((claims, context) -> {}); // checked afterwards, by TokenRules
    }

    TokenIssuerConfig config() {
        return config;
    }

    /**
     * The verified claims of a token.
     *
     * @throws TokenRefusedException if it is not valid
     * @throws KeysUnavailableException if the required keys cannot be fetched
     */
    JWTClaimsSet verify(SignedJWT token) throws TokenRefusedException, KeysUnavailableException {
        TokenRules.checkHeader(config, token.getHeader());
        JWTClaimsSet claims = verifySignature(token);
        TokenRules.checkClaims(config, claims, clock.instant());
        return claims;
    }

    private JWTClaimsSet verifySignature(SignedJWT token) throws TokenRefusedException, KeysUnavailableException {
        try {
            return processor.process(token, null);
        } catch (RateLimitReachedException e) {
            if (!keys.hasKeys()) {
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
