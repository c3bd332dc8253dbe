package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.IdentityProviderSection;
import dev.parley.platform.config.ConfigFile.SignInSection;
import dev.parley.platform.config.secret.Secrets;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the identity providers. {@code github} and {@code google} need no addresses. */
final class SignInReader {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,31}");
    /** Names of other ways to sign in. */
    private static final Set<String> RESERVED = Set.of("password", "email");

    private static final Pattern CLIENT_ID = Pattern.compile("[!-~]{1,256}");
    private static final Pattern SCOPE = Pattern.compile("[!#-\\[\\]-~]{1,100}");
    private static final int MAX_TITLE = 60;
    private static final String GITHUB = "github";
    private static final String GOOGLE = "google";

    private SignInReader() {}

    static SignInConfig signIn(@Nullable SignInSection section) {
        if (section == null) {
            return new SignInConfig(List.of(), List.of(), List.of());
        }
        var providers = new ArrayList<IdentityProviderConfig>();
        Map<String, IdentityProviderSection> sections = section.providers() == null ? Map.of() : section.providers();
        new TreeMap<>(sections)
                .forEach((name, providerSection) ->
                        providers.add(provider("signIn.providers." + name, name, providerSection)));
        var redirects = new ArrayList<String>();
        List<String> urls = section.redirects() == null ? List.of() : section.redirects();
        for (int i = 0; i < urls.size(); i++) {
            redirects.add(WebAddress.redirect("signIn.redirects[" + i + "]", String.valueOf(urls.get(i)))
                    .toString());
        }
        return new SignInConfig(providers, redirects, TokenIssuerReader.issuers(section.issuers(), providers));
    }

    private static IdentityProviderConfig provider(
            String path, String name, @Nullable IdentityProviderSection section) {
        if (!NAME.matcher(name).matches() || RESERVED.contains(name)) {
            throw new ConfigException(
                    path, "a provider's name is up to 32 lower case letters, digits and '-', not password or email");
        }
        if (section == null) {
            throw new ConfigException(path, "has at least clientId and clientSecret");
        }
        return name.equals(GITHUB) && section.issuer() == null ? gitHub(path, section) : openId(path, name, section);
    }

    private static IdentityProviderConfig.GitHub gitHub(String path, IdentityProviderSection section) {
        refuse(path + ".scopes", section.scopes(), "the scopes for GitHub are fixed");
        boolean isEnterprise = section.url() != null;
        URI url = WebAddress.secureBase(
                path + ".url", isEnterprise ? String.valueOf(section.url()) : "https://github.com");
        String api = isEnterprise ? url + "/api/v3" : "https://api.github.com";
        return new IdentityProviderConfig.GitHub(
                GITHUB,
                title(path, section, "GitHub"),
                clientId(path, section),
                secret(path, section),
                url,
                WebAddress.secureBase(path + ".apiUrl", section.apiUrl() == null ? api : section.apiUrl()));
    }

    private static IdentityProviderConfig.OpenId openId(String path, String name, IdentityProviderSection section) {
        refuse(path + ".url", section.url(), "an OpenID Connect provider has an issuer, whose metadata has its URLs");
        refuse(
                path + ".apiUrl",
                section.apiUrl(),
                "an OpenID Connect provider has an issuer, whose metadata has its URLs");
        boolean google = name.equals(GOOGLE);
        String issuer = section.issuer() == null && google ? "https://accounts.google.com" : section.issuer();
        if (issuer == null) {
            throw new ConfigException(path + ".issuer", "is needed, for example https://login.example.com");
        }
        WebAddress.secureBase(path + ".issuer", issuer);
        return new IdentityProviderConfig.OpenId(
                name,
                title(path, section, google ? "Google" : name),
                clientId(path, section),
                secret(path, section),
                issuer,
                scopes(path, section.scopes()));
    }

    private static void refuse(String path, @Nullable Object value, String reason) {
        if (value != null) {
            throw new ConfigException(path, "cannot be set: " + reason);
        }
    }

    private static String title(String path, IdentityProviderSection section, String usual) {
        String title = section.title() == null ? usual : section.title().strip();
        if (title.isEmpty() || title.length() > MAX_TITLE || title.chars().anyMatch(Character::isISOControl)) {
            throw new ConfigException(path + ".title", "is 1 to " + MAX_TITLE + " characters in one line");
        }
        return title;
    }

    private static String clientId(String path, IdentityProviderSection section) {
        String id = section.clientId();
        if (id == null || !CLIENT_ID.matcher(id).matches()) {
            throw new ConfigException(path + ".clientId", "is needed: the id that the provider gave this installation");
        }
        return id;
    }

    private static String secret(String path, IdentityProviderSection section) {
        if (section.clientSecret() == null) {
            throw new ConfigException(path + ".clientSecret", "is needed: a reference to the secret, " + Secrets.FORMS);
        }
        return ProviderReader.reference(path + ".clientSecret", section.clientSecret());
    }

    private static List<String> scopes(String path, @Nullable List<String> configured) {
        var scopes = new LinkedHashSet<>(List.of("openid"));
        for (String scope : configured == null ? List.of("email", "profile") : configured) {
            if (scope == null || !SCOPE.matcher(scope).matches()) {
                throw new ConfigException(path + ".scopes", "has words such as email or profile");
            }
            scopes.add(scope);
        }
        return List.copyOf(scopes);
    }
}
