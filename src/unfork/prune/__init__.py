"""Why a state need not be explored."""
