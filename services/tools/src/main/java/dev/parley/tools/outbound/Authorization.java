package dev.parley.tools.outbound;

import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.outbound.HeaderName;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.outbound.Outbound.KeyRefusedException;
import dev.parley.tools.kind.DefinitionFields;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import okhttp3.Credentials;
import okhttp3.HttpUrl;
import okhttp3.Request;

/** The authorisation of requests: {@code {"type": "bearer" | "header" | "basic", "secret": "env:NAME", …}}. */
public sealed interface Authorization {
    /** {@code Authorization: Bearer …} */
    record Bearer(String secret) implements Authorization {}

    /** A header with the key. */
    record Header(String name, String secret) implements Authorization {}

    /** {@code Authorization: Basic …}; the key is the password. */
    record Basic(String user, String secret) implements Authorization {}

    /** The reference to the key, in the form of {@link Secrets#REFERENCE}. */
    String secret();

    /** The optional field {@code auth}. */
    static Optional<Authorization> of(DefinitionFields definition) {
        return definition.object("auth", "type", "secret", "name", "user").map(auth -> {
            String secret = auth.text("secret");
            if (!Secrets.REFERENCE.matcher(secret).matches()) {
                throw new IllegalArgumentException(auth.path("secret") + " " + Secrets.FORM);
            }
            return switch (auth.text("type")) {
                case "bearer" -> new Bearer(secret);
                case "header" -> new Header(HeaderName.requireValid(auth.path("name"), auth.text("name")), secret);
                case "basic" -> new Basic(auth.text("user"), secret);
                default -> throw new IllegalArgumentException(auth.path("type") + " must be bearer, header or basic");
            };
        });
    }

    /** Adds the key, if it may be sent to the host of the request. */
    default void addTo(Request.Builder request, HttpUrl url, Outbound outbound) throws KeyRefusedException {
        String key = outbound.secret(secret(), url);
        switch (this) {
            case Bearer _ -> request.header("Authorization", "Bearer " + key);
            case Header header -> request.header(header.name(), key);
            case Basic basic ->
                request.header("Authorization", Credentials.basic(basic.user(), key, StandardCharsets.UTF_8));
        }
    }
}
