/** What has to work before an instance takes requests. */
@NullMarked
package dev.parley.platform.health;

import org.jspecify.annotations.NullMarked;
