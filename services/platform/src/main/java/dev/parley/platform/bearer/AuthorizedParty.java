package dev.parley.platform.bearer;

import com.nimbusds.jwt.JWTClaimsSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rule of OpenID Connect Core 3.1.3.7 about the party that a token was issued to ({@code azp}): it must be one of
 * ours, and must be named where the token is meant for several audiences, each of which could present it here.
 */
public final class AuthorizedParty {
    private AuthorizedParty() {}

    /**
     * The reason for refusing a token, or null.
     *
     * @param ours ids of clients and audiences of this installation
     */
    public static @Nullable String fault(JWTClaimsSet claims, Set<String> ours) {
        Object party = claims.getClaim("azp");
        if (party != null) {
            return party instanceof String text && ours.contains(text)
                    ? null
                    : "The token was issued to another client: its azp is none of this installation's.";
        }
        List<String> audiences = claims.getAudience();
        return audiences.size() <= 1
                ? null
                : "The token is meant for several audiences, and has no azp that says whose it is.";
    }
}
