package dev.parley.platform.config;

import dev.parley.platform.config.ConfigFile.MailSection;
import dev.parley.platform.config.MailConfig.Security;
import dev.parley.platform.http.network.Network;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the e-mail settings. */
final class MailReader {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:\\[\\]-]{1,255}");
    private static final String ADDRESS = "[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,189}";
    private static final Pattern FROM =
            Pattern.compile(ADDRESS + "|[^\\p{Cntrl}<>@\",;:()\\[\\]\\\\]{1,100}<" + ADDRESS + ">");
    private static final int PORT = 587;
    private static final int PORT_TLS = 465;
    private static final int MAX_PORT = 65_535;

    private MailReader() {}

    static @Nullable MailConfig mail(@Nullable MailSection section) {
        if (section == null) {
            return null;
        }
        String host = section.host();
        if (host == null || !HOST.matcher(host).matches()) {
            throw new ConfigException("mail.host", "is needed: the server that takes mail, such as smtp.example.com");
        }
        String from = section.from();
        if (from == null || !FROM.matcher(from).matches()) {
            throw new ConfigException("mail.from", "is needed: an address such as Parley <parley@example.com>");
        }
        int port = section.port() == null ? PORT : section.port();
        if (port < 1 || port > MAX_PORT) {
            throw new ConfigException("mail.port", "is a whole number from 1 to " + MAX_PORT + ", not '" + port + "'");
        }
        return new MailConfig(host, port, section.user(), password(section), from, security(host, port, section));
    }

    private static @Nullable String password(MailSection section) {
        if ((section.user() == null) != (section.password() == null)) {
            throw new ConfigException("mail", "has both user and password, or neither");
        }
        return section.password() == null ? null : ProviderReader.reference("mail.password", section.password());
    }

    private static Security security(String host, int port, MailSection section) {
        if (port == PORT_TLS) {
            return Security.TLS;
        }
        if (!Boolean.FALSE.equals(section.starttls())) {
            return Security.STARTTLS;
        }
        if (section.password() != null && !Network.isLoopback(host)) {
            throw new ConfigException("mail.starttls", "cannot be false where a password is sent to another machine");
        }
        return Security.NONE;
    }
}
