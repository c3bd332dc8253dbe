package dev.parley.platform.bearer;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.platform.config.TokenIssuerConfig;
import dev.parley.platform.config.TokenIssuerConfig.Opens;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of the header and the claims of a token, without its signature. */
final class TokenRules {
    private static final String MEDIA_PREFIX = "application/";
    private static final Pattern SUBJECT = Pattern.compile("[^\\p{Cntrl}]{1,256}");

    private TokenRules() {}

    /** @throws TokenRefusedException if the algorithm or the type is not accepted */
    static void checkHeader(TokenIssuerConfig config, JWSHeader header) throws TokenRefusedException {
        if (!config.algorithms().contains(header.getAlgorithm().getName())) {
            throw new TokenRefusedException("The algorithm of the token's signature is not allowed.");
        }
        if (!config.types().contains(type(header.getType()))) {
            throw new TokenRefusedException("The type (typ) of the token is not one of those that are taken.");
        }
    }

    private static String type(@Nullable JOSEObjectType type) {
        if (type == null) {
            return TokenIssuerConfig.NO_TYPE;
        }
        String name = type.getType().toLowerCase(Locale.ROOT);
        return name.startsWith(MEDIA_PREFIX) ? name.substring(MEDIA_PREFIX.length()) : name;
    }

    /** @throws TokenRefusedException if issuer, audience or validity do not match */
    static void checkClaims(TokenIssuerConfig config, JWTClaimsSet claims, Instant now) throws TokenRefusedException {
        if (!config.issuer().equals(claims.getIssuer())) {
            throw new TokenRefusedException("The token is from another issuer.");
        }
        if (Collections.disjoint(config.audiences(), claims.getAudience())) {
            throw new TokenRefusedException("The token is not meant for this installation: its aud names others.");
        }
        String fault = AuthorizedParty.fault(claims, config.parties());
        if (fault != null) {
            throw new TokenRefusedException(fault);
        }
        Date end = claims.getExpirationTime();
        if (end == null) {
            throw new TokenRefusedException("The token has no expiry (exp).");
        }
        if (!now.isBefore(end.toInstant().plus(config.clockSkew()))) {
            throw new TokenRefusedException("The token has expired.");
        }
        Date notBefore = claims.getNotBeforeTime();
        if (notBefore != null && notBefore.toInstant().isAfter(now.plus(config.clockSkew()))) {
            throw new TokenRefusedException("The token is not valid yet (nbf).");
        }
    }

    /**
     * The value of the configured person claim.
     *
     * @throws TokenRefusedException if it is missing
     */
    static String subject(TokenIssuerConfig config, JWTClaimsSet claims) throws TokenRefusedException {
        Object subject = claim(claims.getClaims(), config.personClaim());
        if (!(subject instanceof String text) || !SUBJECT.matcher(text).matches()) {
            throw new TokenRefusedException(
                    "The token does not name its user: it has no claim " + config.personClaim() + ".");
        }
        return text;
    }

    /** Codes of the capabilities of a token. */
    static List<String> permissions(TokenIssuerConfig config, JWTClaimsSet claims) {
        Opens opens = config.opens();
        return opens == null
                ? List.of(AccessKey.ALL)
                : values(claim(claims.getClaims(), opens.claim())).stream()
                        .flatMap(value -> opens.values().getOrDefault(value, List.of()).stream())
                        .distinct()
                        .sorted()
                        .toList();
    }

    /** A claim by its name, or by its path through objects, separated by dots. */
    private static @Nullable Object claim(Map<?, ?> claims, String name) {
        if (claims.containsKey(name)) {
            return claims.get(name);
        }
        int dot = name.indexOf('.');
        return dot > 0 && claims.get(name.substring(0, dot)) instanceof Map<?, ?> inner
                ? claim(inner, name.substring(dot + 1))
                : null;
    }

    /** A list of values, or values separated by spaces as in {@code scope}. */
    private static List<String> values(@Nullable Object claim) {
        return switch (claim) {
            case String text -> Arrays.asList(text.split(" +"));
            case Collection<?> elements ->
                elements.stream().filter(Objects::nonNull).map(Object::toString).toList();
            case null, default -> List.of();
        };
    }
}
