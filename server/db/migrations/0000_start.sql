CREATE TABLE "attachments" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attachments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"consultation_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"filename" text NOT NULL,
	"type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"width" integer,
	"height" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "attachments_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"user_id" integer,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"subject_id" text NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "breeds" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "breeds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"species_id" smallint NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "breeds_name" UNIQUE("species_id","name"),
	CONSTRAINT "breeds_of_species" UNIQUE("id","species_id")
);
--> statement-breakpoint
CREATE TABLE "canned_replies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "canned_replies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"body" text NOT NULL,
	"demo" boolean DEFAULT false NOT NULL,
	CONSTRAINT "canned_replies_title_unique" UNIQUE("title")
);
--> statement-breakpoint
CREATE TABLE "cards" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"stripe_payment_method" text NOT NULL,
	"brand" text NOT NULL,
	"last4" char(4) NOT NULL,
	"exp_month" smallint NOT NULL,
	"exp_year" smallint NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cards_stripePaymentMethod_unique" UNIQUE("stripe_payment_method"),
	CONSTRAINT "cards_month" CHECK ("cards"."exp_month" between 1 and 12)
);
--> statement-breakpoint
CREATE TABLE "care_items" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "care_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"pet_id" integer NOT NULL,
	"item" text NOT NULL,
	"due_on" date NOT NULL,
	"done_on" date,
	"reminded_at" timestamp (3) with time zone,
	CONSTRAINT "care_items_once" UNIQUE("pet_id","item","due_on"),
	CONSTRAINT "care_items_item" CHECK ("care_items"."item" in ('vaccination', 'parasites', 'dental', 'weight', 'check-up'))
);
--> statement-breakpoint
CREATE TABLE "claims" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "claims_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"pet_id" integer NOT NULL,
	"subscription_id" integer NOT NULL,
	"incident" text NOT NULL,
	"happened_on" date NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"would_pay" integer NOT NULL,
	"upload_id" integer NOT NULL,
	"state" text DEFAULT 'received' NOT NULL,
	"decision" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "claims_state" CHECK ("claims"."state" in ('received', 'sent', 'decided')),
	CONSTRAINT "claims_money" CHECK ("claims"."amount" > 0 and "claims"."would_pay" >= 0),
	CONSTRAINT "claims_currency" CHECK ("claims"."currency" in ('zar', 'aud'))
);
--> statement-breakpoint
CREATE TABLE "clinics" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clinics_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"clinic" text NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"state" text DEFAULT '' NOT NULL,
	"telephone" text DEFAULT '' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"comments" text DEFAULT '' NOT NULL,
	"username" text,
	"password_hash" text,
	"customer_invoice" boolean DEFAULT true NOT NULL,
	"contacts" jsonb NOT NULL,
	"region" text NOT NULL,
	"demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "clinics_username_form" CHECK ("clinics"."username" = lower(trim("clinics"."username")) and length("clinics"."username") >= 8),
	CONSTRAINT "clinics_region" CHECK ("clinics"."region" in ('za', 'au'))
);
--> statement-breakpoint
CREATE TABLE "code_requests" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "code_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"region" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "consents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"terms" text NOT NULL,
	"call" text NOT NULL,
	"ticked" boolean NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consultations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "consultations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"type" smallint NOT NULL,
	"region" text NOT NULL,
	"user_id" integer,
	"pet_id" integer,
	"vet_id" integer,
	"clinic_id" integer,
	"caller" jsonb,
	"pet_issue" text NOT NULL,
	"outcome" text DEFAULT '' NOT NULL,
	"start" timestamp (3) with time zone NOT NULL,
	"vet_start" timestamp (3) with time zone,
	"end" timestamp (3) with time zone,
	"cancelled_at" timestamp (3) with time zone,
	"free_since" timestamp (3) with time zone,
	"late_told_at" timestamp (3) with time zone,
	"clinic_shared_at" timestamp (3) with time zone,
	"clinic_notified_at" timestamp (3) with time zone,
	"clinic_accepted_at" timestamp (3) with time zone,
	"follow_up_due_at" timestamp (3) with time zone,
	"follow_up_at" timestamp (3) with time zone,
	"last_seq" integer DEFAULT 0 NOT NULL,
	"demo" boolean DEFAULT false NOT NULL,
	CONSTRAINT "consultations_type" CHECK ("consultations"."type" in (1, 2, 3)),
	CONSTRAINT "consultations_region" CHECK ("consultations"."region" in ('za', 'au')),
	CONSTRAINT "consultations_whose" CHECK ("consultations"."type" = 3 or ("consultations"."user_id" is not null and "consultations"."pet_id" is not null)),
	CONSTRAINT "consultations_caller" CHECK ("consultations"."type" <> 3 or ("consultations"."caller" is not null and "consultations"."clinic_id" is not null)),
	CONSTRAINT "consultations_taken" CHECK (("consultations"."vet_id" is null) = ("consultations"."vet_start" is null)),
	CONSTRAINT "consultations_order" CHECK ("consultations"."vet_start" >= "consultations"."start" and "consultations"."end" >= "consultations"."start" and "consultations"."end" >= "consultations"."vet_start"),
	CONSTRAINT "consultations_cancelled" CHECK ("consultations"."cancelled_at" is null or ("consultations"."end" is not null and "consultations"."vet_id" is null)),
	CONSTRAINT "consultations_not_own" CHECK ("consultations"."vet_id" <> "consultations"."user_id"),
	CONSTRAINT "consultations_clinic" CHECK (("consultations"."clinic_notified_at" is null or "consultations"."clinic_id" is not null) and ("consultations"."clinic_accepted_at" is null or "consultations"."clinic_notified_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"query_about" smallint NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"mobile" text DEFAULT '' NOT NULL,
	"clinic_or_company" text DEFAULT '' NOT NULL,
	"body" text NOT NULL,
	"region" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_messages_reason" CHECK ("contact_messages"."query_about" between 1 and 7)
);
--> statement-breakpoint
CREATE TABLE "coupon_uses" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "coupon_uses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"coupon_id" integer NOT NULL,
	"purchase_id" integer NOT NULL,
	"buyer" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "coupon_uses_purchaseId_unique" UNIQUE("purchase_id")
);
--> statement-breakpoint
CREATE TABLE "coupons" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "coupons_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"amount_off" integer,
	"percent_off" smallint,
	"left_to_pay" integer,
	"length" smallint,
	"referrer" text NOT NULL,
	"end" timestamp (3) with time zone,
	"region" text,
	"product" text DEFAULT 'both' NOT NULL,
	"uses" integer,
	"uses_each" integer,
	"user_id" integer,
	"demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "coupons_one_kind" CHECK (num_nonnulls("coupons"."amount_off", "coupons"."percent_off", "coupons"."left_to_pay") = 1),
	CONSTRAINT "coupons_amount" CHECK ("coupons"."amount_off" >= 1),
	CONSTRAINT "coupons_percent" CHECK ("coupons"."percent_off" between 1 and 100),
	CONSTRAINT "coupons_left" CHECK ("coupons"."left_to_pay" >= 0),
	CONSTRAINT "coupons_region" CHECK ("coupons"."region" in ('za', 'au') and ("coupons"."region" is not null or "coupons"."percent_off" is not null)),
	CONSTRAINT "coupons_product" CHECK ("coupons"."product" in ('consult', 'membership', 'both')),
	CONSTRAINT "coupons_uses" CHECK ("coupons"."uses" >= 1 and "coupons"."uses_each" >= 1)
);
--> statement-breakpoint
CREATE TABLE "escalations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "escalations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"consultation_id" integer NOT NULL,
	"step" smallint NOT NULL,
	"vet_name" text NOT NULL,
	"contact" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "escalations_step" UNIQUE("consultation_id","step")
);
--> statement-breakpoint
CREATE TABLE "feed_runs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "feed_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"file" text NOT NULL,
	"content_hash" text NOT NULL,
	"state" text NOT NULL,
	"added" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"lapsed" integer DEFAULT 0 NOT NULL,
	"bad_rows" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feed_runs_contentHash_unique" UNIQUE("content_hash")
);
--> statement-breakpoint
CREATE TABLE "gift_cards" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gift_cards_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"subscription_id" integer NOT NULL,
	"card_fingerprint" text NOT NULL,
	"code" text,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"issued_at" timestamp (3) with time zone,
	"taken_back_at" timestamp (3) with time zone,
	CONSTRAINT "gift_cards_userId_unique" UNIQUE("user_id"),
	CONSTRAINT "gift_cards_cardFingerprint_unique" UNIQUE("card_fingerprint"),
	CONSTRAINT "gift_cards_code_unique" UNIQUE("code"),
	CONSTRAINT "gift_cards_amount" CHECK ("gift_cards"."amount" > 0),
	CONSTRAINT "gift_cards_currency" CHECK ("gift_cards"."currency" in ('zar', 'aud'))
);
--> statement-breakpoint
CREATE TABLE "live_attachments" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "live_attachments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" timestamp (3) with time zone DEFAULT now(),
	"payload" "bytea"
);
--> statement-breakpoint
CREATE TABLE "mailed_codes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mailed_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"purpose" text NOT NULL,
	"code_hash" text NOT NULL,
	"about" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "mailed_codes_codeHash_unique" UNIQUE("code_hash"),
	CONSTRAINT "mailed_codes_purpose" CHECK ("mailed_codes"."purpose" in ('reset', 'claim', 'confirm', 'change_email', 'bind_policy'))
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"message_id" text NOT NULL,
	"key" text,
	"template" text NOT NULL,
	"region" text NOT NULL,
	"to" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_messageId_unique" UNIQUE("message_id"),
	CONSTRAINT "mails_key_unique" UNIQUE("key"),
	CONSTRAINT "mails_region" CHECK ("mails"."region" in ('za', 'au'))
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"consultation_id" integer NOT NULL,
	"seq" integer NOT NULL,
	"client_id" text NOT NULL,
	"user_id" integer,
	"body" text NOT NULL,
	"attachment_id" integer,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_consultation_id_seq_pk" PRIMARY KEY("consultation_id","seq"),
	CONSTRAINT "messages_once" UNIQUE("consultation_id","client_id"),
	CONSTRAINT "messages_says_something" CHECK ("messages"."body" <> '' or "messages"."attachment_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "newsletter" (
	"email" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"region" text NOT NULL,
	"asked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"left_at" timestamp (3) with time zone,
	CONSTRAINT "newsletter_region" CHECK ("newsletter"."region" in ('za', 'au'))
);
--> statement-breakpoint
CREATE TABLE "notes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"consultation_id" integer NOT NULL,
	"vet_id" integer NOT NULL,
	"body" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "partners" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "partners_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"blurb" text DEFAULT '' NOT NULL,
	"url" text NOT NULL,
	"demo" boolean DEFAULT false NOT NULL,
	CONSTRAINT "partners_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "pawcare_pets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pawcare_pets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"pet_id" integer NOT NULL,
	"opt_in" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"opt_out" timestamp (3) with time zone,
	CONSTRAINT "pawcare_pets_order" CHECK ("pawcare_pets"."opt_out" >= "pawcare_pets"."opt_in")
);
--> statement-breakpoint
CREATE TABLE "pets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" integer NOT NULL,
	"name" text NOT NULL,
	"species_id" smallint NOT NULL,
	"breed_id" integer,
	"sex" smallint,
	"dob" date,
	"dob_approximate" boolean DEFAULT false NOT NULL,
	"desexed" boolean,
	"microchip" text DEFAULT '' NOT NULL,
	"upload_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"put_away_at" timestamp (3) with time zone,
	"put_away_why" text,
	CONSTRAINT "pets_name" CHECK (length(trim("pets"."name")) > 0),
	CONSTRAINT "pets_sex" CHECK ("pets"."sex" in (1, 2)),
	CONSTRAINT "pets_microchip" CHECK ("pets"."microchip" ~ '^([0-9]{15})?$'),
	CONSTRAINT "pets_put_away" CHECK (("pets"."put_away_at" is null) = ("pets"."put_away_why" is null) and "pets"."put_away_why" in ('moved', 'died'))
);
--> statement-breakpoint
CREATE TABLE "policies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "policies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"policy" text NOT NULL,
	"holder_email" text NOT NULL,
	"pet_name" text NOT NULL,
	"species_id" smallint NOT NULL,
	"lapsed_at" timestamp (3) with time zone,
	"user_id" integer,
	"pet_id" integer,
	"bound_at" timestamp (3) with time zone,
	"demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "policies_policy_unique" UNIQUE("policy"),
	CONSTRAINT "policies_petId_unique" UNIQUE("pet_id"),
	CONSTRAINT "policies_bound" CHECK (("policies"."bound_at" is null) = ("policies"."user_id" is null) and ("policies"."pet_id" is null or "policies"."user_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"applied_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "purchases_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"token_hash" text NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'quoted' NOT NULL,
	"region" text NOT NULL,
	"amount" integer NOT NULL,
	"currency" text NOT NULL,
	"user_id" integer,
	"email" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"payload_hash" text NOT NULL,
	"coupon_id" integer,
	"promo" text,
	"order" jsonb NOT NULL,
	"stripe_customer" text,
	"stripe_intent" text,
	"stripe_subscription" text,
	"refunded_amount" integer DEFAULT 0 NOT NULL,
	"consultation_id" integer,
	"subscription_id" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"delivered_at" timestamp (3) with time zone,
	"due_at" timestamp (3) with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "purchases_tokenHash_unique" UNIQUE("token_hash"),
	CONSTRAINT "purchases_idempotencyKey_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "purchases_stripeIntent_unique" UNIQUE("stripe_intent"),
	CONSTRAINT "purchases_stripeSubscription_unique" UNIQUE("stripe_subscription"),
	CONSTRAINT "purchases_consultationId_unique" UNIQUE("consultation_id"),
	CONSTRAINT "purchases_subscriptionId_unique" UNIQUE("subscription_id"),
	CONSTRAINT "purchases_kind" CHECK ("purchases"."kind" in ('consult', 'membership', 'pet', 'offer')),
	CONSTRAINT "purchases_state" CHECK ("purchases"."state" in ('quoted', 'paying', 'paid', 'delivered', 'refused', 'released', 'refunded')),
	CONSTRAINT "purchases_region" CHECK ("purchases"."region" in ('za', 'au')),
	CONSTRAINT "purchases_currency" CHECK ("purchases"."currency" in ('zar', 'aud')),
	CONSTRAINT "purchases_amount" CHECK ("purchases"."amount" >= 0 and "purchases"."refunded_amount" between 0 and "purchases"."amount"),
	CONSTRAINT "purchases_paid" CHECK ("purchases"."state" not in ('paid', 'delivered', 'refunded') or "purchases"."paid_at" is not null),
	CONSTRAINT "purchases_delivered" CHECK ("purchases"."state" <> 'delivered' or "purchases"."delivered_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "ratings" (
	"consultation_id" integer PRIMARY KEY NOT NULL,
	"stars" smallint NOT NULL,
	"words" text DEFAULT '' NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ratings_stars" CHECK ("ratings"."stars" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "read_marks" (
	"consultation_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"delivered" integer DEFAULT 0 NOT NULL,
	"seen" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "read_marks_consultation_id_user_id_pk" PRIMARY KEY("consultation_id","user_id"),
	CONSTRAINT "read_marks_order" CHECK ("read_marks"."seen" <= "read_marks"."delivered")
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refunds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"purchase_id" integer NOT NULL,
	"amount" integer NOT NULL,
	"reason" text NOT NULL,
	"by_user_id" integer,
	"stripe_refund" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_stripeRefund_unique" UNIQUE("stripe_refund"),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "resources" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "resources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"type" smallint NOT NULL,
	"title" text NOT NULL,
	"slug" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"featured_image" text DEFAULT '' NOT NULL,
	"featured_image2" text DEFAULT '' NOT NULL,
	"file" text DEFAULT '' NOT NULL,
	"demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "resources_type" CHECK ("resources"."type" in (1, 2, 3)),
	CONSTRAINT "resources_slug" CHECK ("resources"."slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and "resources"."slug" !~ '^[0-9]+$')
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" integer,
	"consultation_id" integer,
	"clinic_id" integer,
	"remember" boolean DEFAULT false NOT NULL,
	"agent" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "sessions_kind" CHECK (case "sessions"."kind"
        when 'user' then "sessions"."user_id" is not null and "sessions"."consultation_id" is null and "sessions"."clinic_id" is null
        when 'guest' then "sessions"."consultation_id" is not null and "sessions"."user_id" is null and "sessions"."clinic_id" is null
        when 'clinic' then "sessions"."clinic_id" is not null and "sessions"."user_id" is null and "sessions"."consultation_id" is null
        else false end)
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "species" (
	"id" smallint PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "species_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "subscription_pets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscription_pets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"subscription_id" integer NOT NULL,
	"pet_id" integer NOT NULL,
	"place" smallint NOT NULL,
	"added_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"free_at" timestamp (3) with time zone,
	CONSTRAINT "subscription_pets_place" CHECK ("subscription_pets"."place" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "subscriptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"plan" text NOT NULL,
	"region" text NOT NULL,
	"price" integer NOT NULL,
	"currency" text NOT NULL,
	"stripe_subscription" text,
	"status" text NOT NULL,
	"recurring_start" timestamp (3) with time zone NOT NULL,
	"current_period_end" timestamp (3) with time zone,
	"end" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"past_due_since" timestamp (3) with time zone,
	"source" text DEFAULT 'vetchat' NOT NULL,
	"subs_id" text,
	"pawcare_out" boolean DEFAULT false NOT NULL,
	"renewal_told_for" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscriptions_stripeSubscription_unique" UNIQUE("stripe_subscription"),
	CONSTRAINT "subscriptions_plan" CHECK ("subscriptions"."plan" in ('annual', 'monthly')),
	CONSTRAINT "subscriptions_region" CHECK ("subscriptions"."region" in ('za', 'au')),
	CONSTRAINT "subscriptions_currency" CHECK ("subscriptions"."currency" in ('zar', 'aud')),
	CONSTRAINT "subscriptions_price" CHECK ("subscriptions"."price" >= 0),
	CONSTRAINT "subscriptions_paid_by" CHECK (("subscriptions"."source" = 'vetchat') = ("subscriptions"."stripe_subscription" is not null))
);
--> statement-breakpoint
CREATE TABLE "summaries" (
	"consultation_id" integer PRIMARY KEY NOT NULL,
	"vet_id" integer NOT NULL,
	"summary" text NOT NULL,
	"plan" text DEFAULT '' NOT NULL,
	"watch_for" text DEFAULT '' NOT NULL,
	"go_if" text DEFAULT '' NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "testimonials" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "testimonials_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"text" text NOT NULL,
	"image" text DEFAULT '' NOT NULL,
	"rating" smallint,
	"demo" boolean DEFAULT false NOT NULL,
	CONSTRAINT "testimonials_kind" CHECK ("testimonials"."kind" in ('carer', 'clinic'))
);
--> statement-breakpoint
CREATE TABLE "tries" (
	"name" text NOT NULL,
	"key_hash" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"closes_at" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "tries_name_key_hash_pk" PRIMARY KEY("name","key_hash")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "uploads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"user_id" integer,
	"type" text NOT NULL,
	"bytes" integer NOT NULL,
	"width" integer,
	"height" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"named_at" timestamp (3) with time zone,
	CONSTRAINT "uploads_name_unique" UNIQUE("name"),
	CONSTRAINT "uploads_bytes" CHECK ("uploads"."bytes" > 0)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"type" smallint DEFAULT 1 NOT NULL,
	"guest" boolean DEFAULT false NOT NULL,
	"email" text NOT NULL,
	"email_confirmed_at" timestamp (3) with time zone,
	"password_hash" text,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"mobile" text DEFAULT '' NOT NULL,
	"postcode" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"user_clinic" text DEFAULT '' NOT NULL,
	"region" text NOT NULL,
	"can_consult" boolean DEFAULT true NOT NULL,
	"notifications" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"stripe_customer" text,
	"registration" text,
	"on_duty_since" timestamp (3) with time zone,
	"last_seen_at" timestamp (3) with time zone,
	"demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "users_publicId_unique" UNIQUE("public_id"),
	CONSTRAINT "users_stripeCustomer_unique" UNIQUE("stripe_customer"),
	CONSTRAINT "users_email_form" CHECK ("users"."email" = lower(trim("users"."email")) and "users"."email" like '%_@_%'),
	CONSTRAINT "users_type" CHECK ("users"."type" in (1, 2, 3)),
	CONSTRAINT "users_region" CHECK ("users"."region" in ('za', 'au')),
	CONSTRAINT "users_guest_is_owner" CHECK (not "users"."guest" or ("users"."type" = 1 and "users"."password_hash" is null)),
	CONSTRAINT "users_vet_is_registered" CHECK ("users"."type" <> 2 or "users"."registration" is not null),
	CONSTRAINT "users_only_vets_on_duty" CHECK ("users"."on_duty_since" is null or "users"."type" in (2, 3))
);
--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "audit_log" ADD CONSTRAINT "audit_log_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "breeds" ADD CONSTRAINT "breeds_species_id_species_id_fk" FOREIGN KEY ("species_id") REFERENCES "public"."species"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cards" ADD CONSTRAINT "cards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "care_items" ADD CONSTRAINT "care_items_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claims" ADD CONSTRAINT "claims_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_vet_id_users_id_fk" FOREIGN KEY ("vet_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consultations" ADD CONSTRAINT "consultations_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupon_uses" ADD CONSTRAINT "coupon_uses_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "coupons" ADD CONSTRAINT "coupons_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "escalations" ADD CONSTRAINT "escalations_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_cards" ADD CONSTRAINT "gift_cards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_cards" ADD CONSTRAINT "gift_cards_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailed_codes" ADD CONSTRAINT "mailed_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_attachment_id_attachments_id_fk" FOREIGN KEY ("attachment_id") REFERENCES "public"."attachments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_vet_id_users_id_fk" FOREIGN KEY ("vet_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pawcare_pets" ADD CONSTRAINT "pawcare_pets_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pets" ADD CONSTRAINT "pets_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pets" ADD CONSTRAINT "pets_species_id_species_id_fk" FOREIGN KEY ("species_id") REFERENCES "public"."species"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pets" ADD CONSTRAINT "pets_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pets" ADD CONSTRAINT "pets_breed_of_species" FOREIGN KEY ("breed_id","species_id") REFERENCES "public"."breeds"("id","species_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policies" ADD CONSTRAINT "policies_species_id_species_id_fk" FOREIGN KEY ("species_id") REFERENCES "public"."species"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policies" ADD CONSTRAINT "policies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "policies" ADD CONSTRAINT "policies_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_coupon_id_coupons_id_fk" FOREIGN KEY ("coupon_id") REFERENCES "public"."coupons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ratings" ADD CONSTRAINT "ratings_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "read_marks" ADD CONSTRAINT "read_marks_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "read_marks" ADD CONSTRAINT "read_marks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_by_user_id_users_id_fk" FOREIGN KEY ("by_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_pets" ADD CONSTRAINT "subscription_pets_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_pets" ADD CONSTRAINT "subscription_pets_pet_id_pets_id_fk" FOREIGN KEY ("pet_id") REFERENCES "public"."pets"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "summaries" ADD CONSTRAINT "summaries_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "summaries" ADD CONSTRAINT "summaries_vet_id_users_id_fk" FOREIGN KEY ("vet_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attachments_consultation" ON "attachments" USING btree ("consultation_id");--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject","subject_id");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "audit_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "claims_pet" ON "claims" USING btree ("pet_id");--> statement-breakpoint
CREATE UNIQUE INDEX "clinics_username" ON "clinics" USING btree ("username") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "consents_user" ON "consents" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "consultations_open" ON "consultations" USING btree ("start") WHERE "end" is null;--> statement-breakpoint
CREATE INDEX "consultations_closed" ON "consultations" USING btree ("end","id") WHERE "end" is not null;--> statement-breakpoint
CREATE INDEX "consultations_user" ON "consultations" USING btree ("user_id","start");--> statement-breakpoint
CREATE INDEX "consultations_pet" ON "consultations" USING btree ("pet_id","start");--> statement-breakpoint
CREATE INDEX "consultations_vet" ON "consultations" USING btree ("vet_id","vet_start");--> statement-breakpoint
CREATE INDEX "consultations_clinic_recent" ON "consultations" USING btree ("clinic_id","start");--> statement-breakpoint
CREATE INDEX "consultations_phone" ON "consultations" USING btree ("start") WHERE type = 3;--> statement-breakpoint
CREATE INDEX "consultations_follow_up" ON "consultations" USING btree ("follow_up_due_at") WHERE follow_up_at is null;--> statement-breakpoint
CREATE INDEX "coupon_uses_coupon" ON "coupon_uses" USING btree ("coupon_id") WHERE released_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "coupons_code" ON "coupons" USING btree (lower("code")) WHERE deleted_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "mailed_codes_one_open" ON "mailed_codes" USING btree ("user_id","purpose") WHERE used_at is null;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at") WHERE sent_at is null and failed_at is null;--> statement-breakpoint
CREATE INDEX "mails_to" ON "mails" USING btree ("to","id");--> statement-breakpoint
CREATE INDEX "notes_consultation" ON "notes" USING btree ("consultation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "pawcare_pets_one_open" ON "pawcare_pets" USING btree ("pet_id") WHERE opt_out is null;--> statement-breakpoint
CREATE INDEX "pets_owner" ON "pets" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "policies_user" ON "policies" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "purchases_due" ON "purchases" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "purchases_user" ON "purchases" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "refunds_purchase" ON "refunds" USING btree ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "resources_slugs" ON "resources" USING btree ("slug") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "resources_newest" ON "resources" USING btree ("type","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_pets_one_a_place" ON "subscription_pets" USING btree ("subscription_id","place") WHERE free_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "subscription_pets_once" ON "subscription_pets" USING btree ("pet_id") WHERE free_at is null;--> statement-breakpoint
CREATE INDEX "subscriptions_user" ON "subscriptions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tries_closes" ON "tries" USING btree ("closes_at");--> statement-breakpoint
CREATE INDEX "uploads_unnamed" ON "uploads" USING btree ("created_at") WHERE named_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree ("email") WHERE not guest and deleted_at is null;