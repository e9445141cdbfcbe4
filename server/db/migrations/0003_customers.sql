CREATE TABLE "customers" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"stripe_customer" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customers_stripeCustomer_unique" UNIQUE("stripe_customer")
);
--> statement-breakpoint
INSERT INTO "customers" ("user_id", "stripe_customer", "created_at") SELECT "id", "stripe_customer", "created_at" FROM "users" WHERE "stripe_customer" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_stripeCustomer_unique";--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "stripe_customer";