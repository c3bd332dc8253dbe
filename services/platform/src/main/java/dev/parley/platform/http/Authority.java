package dev.parley.platform.http;

import dev.parley.platform.http.network.TrustedProxies;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host and a port as in the header {@code Host}, in lower case. User information, white space, characters outside of
 * ASCII (browsers send names of other scripts in Punycode) and a dot at the end are not accepted.
 *
 * @param host a name, an IPv4 address, or an IPv6 address without brackets
 * @param port -1 for the default one
 */
public record Authority(String host, int port) {
    private static final int MAX_LENGTH = 262;
    private static final int MAX_PORT = 65_535;
    private static final Pattern FORM =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*))(?::([0-9]{1,5}))?");

    /** Empty if the text has another form. */
    public static Optional<Authority> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (text.length() > MAX_LENGTH || !form.matches()) {
            return Optional.empty();
        }
        int port = form.group(3) == null ? -1 : Integer.parseInt(form.group(3));
        boolean six = form.group(1) != null;
        if (port > MAX_PORT || (six && TrustedProxies.address(form.group(1)).isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(new Authority((six ? form.group(1) : form.group(2)).toLowerCase(Locale.ROOT), port));
    }

    /** The address, where the host is one. */
    public Optional<InetAddress> address() {
        return TrustedProxies.address(host);
    }

    /** The port, or the default one of a scheme. */
    public int port(String scheme) {
        return port >= 0 ? port : scheme.equals("https") ? 443 : 80;
    }
}
